"""Put on each page the style and the scripts it needs, all of them from the site itself.

Our widgets bring their own script and style; ipywidgets' machinery, which loads from other sites, is left out.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

WIDGETS = ("minimodel-widgets.js", "minimodel-widgets.css")


def configure(app: Sphinx, config: Config) -> None:
    """Point Sphinx at our style and scripts."""
    book = Path(config.course_root) / "book"
    config.html_static_path.append(str(book / "_static"))
    config.templates_path.insert(0, str(book / "_templates"))  # before the theme's own
    config.html_favicon = str(book / "_static" / "favicon.svg")
    app.add_css_file("course.css", priority=900)  # after the theme's
    for script in ("language.js", "menu.js", "scroll.js", "sections.js"):
        app.add_js_file(script, loading_method="defer")


def drop_widget_state(_app: Sphinx, env: BuildEnvironment) -> None:
    """Leave out the state of ipywidgets, which our widgets' markup already holds."""
    for data in getattr(env, "nb_metadata", {}).values():
        data.get("js_files", {}).pop("ipywidgets_state", None)


def add_page_assets(
    app: Sphinx, _pagename: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Add what only this page needs: the widgets' files, the quizzes' script."""
    body = context.get("body", "")
    if 'class="quiz"' in body:
        app.add_js_file("quiz.js", loading_method="defer")
    if "mm-widget" in body:
        _write_widgets(Path(app.outdir) / "_static")
        script, style = WIDGETS
        app.add_css_file(style)
        app.add_js_file(script, loading_method="async")  # a deferred script would wait for the theme's
        if _runs_model(body):
            model = _write_model(Path(app.outdir) / "_static", app.config.language)
            app.add_js_file(model, type="text/plain", **{"data-model": app.config.language})  # until a widget runs it


def defer_scripts(
    _app: Sphinx, _pagename: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Let no script of the page's head keep its text waiting; they still run in their order.

    What the theme adds to Sphinx's options, in a script that cannot be deferred, serves a way of searching that is off.
    """
    unused = "DOCUMENTATION_OPTIONS."
    scripts = [one for one in context["script_files"] if unused not in str(one.attributes.get("body", ""))]
    for script in scripts:
        if script.filename and not {"async", "data-model"} & script.attributes.keys():
            script.attributes["defer"] = "defer"
    context["script_files"] = scripts


def _write_widgets(static: Path) -> None:
    from minimodel import widgets  # noqa: PLC0415 - only books with widgets need them

    for name, content in zip(WIDGETS, (widgets.static_script(), widgets.static_style()), strict=True):
        (static / name).write_text(content, "utf-8")


def _runs_model(body: str) -> bool:
    """Whether the page has a widget that runs the Mini-GPT itself."""
    from minimodel.widgets import model_data  # noqa: PLC0415 - as above

    return any(f'data-widget="{name}"' in body for name in model_data.USERS)


def _write_model(static: Path, language: str) -> str:
    """Write the one file that holds a language's model for all pages; return its name."""
    from minimodel import widgets  # noqa: PLC0415 - as above

    name = widgets.model_script_name(language)
    if not (static / name).exists():
        (static / name).write_text(widgets.static_model_script(language), "utf-8")
    return name


def setup(app: Sphinx) -> None:
    """Connect to the configuration, the environment and the writing of pages."""
    app.connect("config-inited", configure)
    app.connect("env-updated", drop_widget_state)
    app.connect("html-page-context", add_page_assets)
    app.connect("html-page-context", defer_scripts, priority=950)  # after all that add one
