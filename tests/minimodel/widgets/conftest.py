"""Running the widgets' modules outside a browser, in the node that Playwright's wheel brings along."""

import json
import subprocess

import pytest
from playwright._impl._driver import compute_driver_executable


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
