"""What the widgets have in common as Python sees them: the live view, and beside it what a static page needs."""

from typing import Any, ClassVar
from xml.etree import ElementTree as ET

import anywidget
import traitlets as t

from minimodel.widgets import catalogue
from minimodel.widgets.markup import embed


class EmbeddedWidget(anywidget.AnyWidget):
    """A widget that also shows, and works, in a page with no kernel.

    A subclass has `NAME`, its module's, and `SHARED`, the traits that the static page starts from; and it draws
    itself in `picture`, for print and for readers without JavaScript.

    Args:
        lang: "en" or "es".
        state: the other traits.

    Raises:
        ValueError: the language is not one of the course's, or a trait refuses its value.
    """

    NAME: ClassVar[str]
    SHARED: ClassVar[tuple[str, ...]]
    lang = t.Unicode().tag(sync=True)
    strings = t.Dict().tag(sync=True)

    def __init__(self, lang: str, **state: Any) -> None:
        super().__init__(lang=lang, strings=catalogue.strings(self.NAME, lang), **state)

    def picture(self) -> ET.Element:
        """Return the present setting as a still picture."""
        raise NotImplementedError

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Return the live view, and beside it the picture around the state that the static host starts from."""
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        state = {name: getattr(self, name) for name in ("lang", "strings", *self.SHARED)}
        return {**data, "text/html": embed(self.NAME, self.lang, state, self.picture())}, metadata
