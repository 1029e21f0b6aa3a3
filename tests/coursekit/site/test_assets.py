"""A page loads the scripts of what is on it, and no others."""

from types import SimpleNamespace

import pytest

from coursekit.site.assets import WIDGETS, add_page_assets
from minimodel.widgets import DecodeStepper, FourSamplers, static_model_script

MODEL = "minimodel-model-es.js"


def scripts_of(body, tmp_path):
    (tmp_path / "_static").mkdir(exist_ok=True)
    added, named = [], []
    app = SimpleNamespace(
        outdir=tmp_path,
        config=SimpleNamespace(language="es"),
        add_js_file=lambda name, **how: added.append(name) if "data-model" not in how else named.append(name),
        add_css_file=added.append,
    )
    add_page_assets(app, "page", "page.html", {"body": body}, None)
    return added, named


@pytest.mark.parametrize("widget", [DecodeStepper, FourSamplers])
def test_a_page_where_the_model_runs_names_it_and_the_site_holds_it_once(tmp_path, widget):
    body = widget(lang="es")._repr_mimebundle_()[0]["text/html"]
    added, named = scripts_of(body, tmp_path)
    assert named == [MODEL]  # a widget loads it when it comes to life
    assert MODEL not in added
    assert (tmp_path / "_static" / MODEL).read_text("utf-8") == static_model_script("es")


def test_other_pages_do_not_load_the_model(tmp_path):
    assert scripts_of("<p>Text.</p>", tmp_path) == ([], [])
    assert scripts_of('<div class="mm-widget" data-widget="distribution_explorer"></div>', tmp_path) == (
        [*WIDGETS[::-1]],
        [],
    )
    assert not (tmp_path / "_static" / MODEL).exists()
