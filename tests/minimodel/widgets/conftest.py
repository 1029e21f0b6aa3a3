"""Running the widgets' modules outside a browser, in the node that Playwright's wheel brings along."""

import json
import subprocess
from base64 import b64encode

import pytest
from playwright._impl._driver import compute_driver_executable

from minimodel.widgets import esm
from minimodel.widgets.model_data import model_data, weights


@pytest.fixture
def run_js(tmp_path):
    """`run_js(modules, code, data)`: what `code` makes of `data`, given modules as {name: their text}, as JSON."""

    def run(modules, code, data=None):
        imports = ""
        for name, text in modules.items():
            (tmp_path / f"{name}.mjs").write_text(text, encoding="utf-8")
            imports += f'import * as {name} from "./{name}.mjs";\n'
        main = tmp_path / "main.mjs"
        main.write_text(
            f'{imports}import {{ readFileSync }} from "node:fs";\n'
            f"const make = (data) => {{ {code} }};\n"
            'console.log(JSON.stringify(make(JSON.parse(readFileSync(0, "utf-8")))));\n',
            encoding="utf-8",
        )
        node = compute_driver_executable()[0]
        done = subprocess.run([node, main], input=json.dumps(data), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


@pytest.fixture
def run_page_model(run_js):
    """`run_page_model(lang, code, cases)`: what `code` makes of `cases` where `model` is the page's own Mini-GPT.

    The other parts of the decode stepper are there as well: `page.decode`, `page.drawAt`, `page.uniforms`.
    """
    parts = "export { prepared, decode, drawAt, uniforms };\nexport default"
    module = esm("decode_stepper").replace("export default", parts)

    def run(lang, code, cases):
        model = model_data(lang) | {"weights": b64encode(weights(lang)).decode()}
        code = f"const model = page.prepared(data.model); const cases = data.cases; {code}"
        return run_js({"page": module}, code, {"model": model, "cases": cases})

    return run
