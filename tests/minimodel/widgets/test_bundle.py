"""Joining plain ES modules into what anywidget and a static page can load."""

import gzip
import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest
from playwright._impl._driver import compute_driver_executable

from minimodel.widgets import bundle, esm, static_script, static_style
from minimodel.widgets.bundle import WIDGETS, style

HERE = Path(str(files("minimodel.widgets")))


@pytest.fixture
def modules(tmp_path, monkeypatch):
    """A folder of modules to join, the real ones to begin with; `modules(name, text)` writes one."""
    for file in (*HERE.glob("*.js"), *HERE.glob("*.css")):
        shutil.copy(file, tmp_path)
    monkeypatch.setattr(bundle, "_read", lambda name: (tmp_path / name).read_text(encoding="utf-8"))
    return lambda name, text: (tmp_path / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("widget", WIDGETS)
def test_a_joined_widget_imports_nothing_and_exports_render(run_js, widget):
    joined = esm(widget)
    assert not re.search(r"^import\b", joined, re.MULTILINE)
    assert run_js({"widget": joined}, "return [Object.keys(widget), Object.keys(widget.default)];") == [
        ["default"],
        ["render"],
    ]


def test_the_static_script_is_one_classic_script(tmp_path):
    script = tmp_path / "widgets.cjs"
    script.write_text(static_script(), encoding="utf-8")
    done = subprocess.run([compute_driver_executable()[0], "--check", script], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "</script" not in static_script()


@pytest.mark.parametrize("file", sorted(path.name for path in HERE.glob("*.js")))
def test_every_module_asks_for_type_checks(file):
    assert (HERE / file).read_text(encoding="utf-8").startswith("// @ts-check\n")


def test_all_widget_code_together_is_small():
    together = static_script() + static_style()
    assert len(gzip.compress(together.encode(), mtime=0)) < 40_000


def test_no_address_but_this_page():
    assert not re.search(r"https?:|//[a-z]+\.|url\(|@import|\bfetch\(", static_script() + static_style())


def test_every_style_is_kept_to_the_widgets():
    """No rule may reach the rest of the page."""
    css = re.sub(r"/\*.*?\*/", "", static_style(), flags=re.DOTALL)
    selectors = re.findall(r"([^{}]+)\{[^{}]*\}", css)
    own = [selector for selector in selectors if not selector.strip().startswith("@")]
    assert len(own) > 40
    for selector in own:
        for one in re.split(r",(?![^(]*\))", selector):
            assert ".mm-" in one or "data-fate" in one, one


def test_static_style_holds_each_widgets_style():
    assert all(style(widget) in static_style() for widget in WIDGETS[:1])


@pytest.mark.parametrize(
    "line",
    [
        'import sampling from "./sampling.js";',
        'import * as sampling from "./sampling.js";',
        'import { softmax } from "https://cdn.example/x.js";',
        'import { softmax } from "../sampling.js";',
        'const late = await import("./sampling.js");',
        "export { render };",
        "export let state = 1;",
        "export default function render() {}",
    ],
)
def test_a_form_that_is_not_known_is_an_error_that_shows_it(modules, line):
    modules("distribution_explorer.js", f"{line}\n{bundle._RENDER}")
    with pytest.raises(ValueError, match=r"distribution_explorer\.js: cannot join") as error:
        esm("distribution_explorer")
    assert line[:20] in str(error.value)


def test_one_name_in_two_modules_is_an_error(modules):
    modules("distribution_explorer.js", 'import { softmax } from "./sampling.js";\nfunction softmax() {}\n')
    with pytest.raises(ValueError, match="declare softmax more than once"):
        esm("distribution_explorer")


def test_a_shared_sibling_is_joined_once_after_what_it_needs(modules):
    modules("b.js", "export const b = 1;\n")
    modules("a.js", 'import { b } from "./b.js";\nexport const a = b + 1;\n')
    imports = 'import { a } from "./a.js";\nimport { b } from "./b.js";\n'
    modules("distribution_explorer.js", f"{imports}function render() {{ return a + b; }}\n{bundle._RENDER}")
    assert esm("distribution_explorer") == (
        "const b = 1;\nconst a = b + 1;\nfunction render() { return a + b; }\nexport default { render };\n"
    )
