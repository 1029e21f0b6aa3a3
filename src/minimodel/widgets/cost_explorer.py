"""The cost explorer: the triangle of recomputed positions, FLOPs with and without a cache, and the cache in memory."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar
from xml.etree import ElementTree as ET

import traitlets as t

from minimodel.cost import (
    GPT2,
    LLAMA_3_8B,
    LLAMA_3_70B,
    ModelShape,
    decode_flops,
    decode_positions,
    kv_cache_bytes,
)
from minimodel.widgets.bundle import esm, style
from minimodel.widgets.embedded import EmbeddedWidget
from minimodel.widgets.markup import element
from minimodel.widgets.picture import fixed

MODELS = {"GPT-2": GPT2, "Llama-3-8B": LLAMA_3_8B, "Llama-3-70B": LLAMA_3_70B}
DEVICES = [8, 16, 24, 80, 192, 640]  # GiB: a laptop, graphics cards, an accelerator of a data centre, eight of them
_STAIR = [1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024]
LENGTHS = [*_STAIR, 1536, 2048, 3072, 4096, 6144, 8192]
ALLOWED: Mapping[str, Sequence[Any]] = {
    "model": list(MODELS),
    "prompt_length": LENGTHS,
    "n": LENGTHS,
    "batch": _STAIR,
    "bytes": [4, 2, 1, 0.5],
}


def si(number: float) -> str:
    """Return a large number in words, as the page has it.

    Examples:
        >>> [si(number) for number in (27, 350, 1_433_600, 212_678_076_000)]
        ['27', '350', '1.43 M', '213 G']
    """
    power = min(6, max(0, math.floor(math.log10(max(number, 1) * 1.0005) / 3)))
    scaled = number / 1000**power
    decimals = 0 if power == 0 or scaled >= 99.95 else 1 if scaled >= 9.995 else 2  # noqa: PLR2004 - three digits
    return f"{fixed(scaled, decimals)}{['', ' k', ' M', ' G', ' T', ' P', ' E'][power]}"


class CostExplorer(EmbeddedWidget):
    """What it costs to write n tokens after a prompt, with and without a KV cache, for real models.

    Args:
        lang: "en" or "es".
        model: "GPT-2", "Llama-3-8B" or "Llama-3-70B", to start with.
        prompt_length: tokens of the prompt, one of `LENGTHS`.
        n: tokens to write, one of `LENGTHS`.
        batch: texts written at once, a stop of its slider.
        bytes: of a number: 4, 2, 1 or 0.5.
        device: memory in GiB, one of `DEVICES`.

    Raises:
        ValueError: the language or a setting is not one of these.

    Examples:
        >>> CostExplorer(lang="es", model="Llama-3-8B", n=64).n
        64
    """

    NAME = "cost_explorer"
    SHARED: ClassVar = ("models", "devices", "model", "prompt_length", "n", "batch", "bytes", "device")
    _esm = esm(NAME)
    _css = style(NAME)
    models = t.Dict().tag(sync=True)
    devices: t.List[int] = t.List().tag(sync=True)
    model = t.Unicode().tag(sync=True)
    prompt_length = t.Int().tag(sync=True)
    n = t.Int().tag(sync=True)
    batch = t.Int().tag(sync=True)
    bytes = t.Float().tag(sync=True)
    device = t.Int().tag(sync=True)

    def __init__(self, *, lang: str = "en", **settings: Any) -> None:
        start = {"model": "GPT-2", "prompt_length": 8, "n": 20, "batch": 1, "bytes": 2, "device": 24}
        models = {name: _as_json(shape) for name, shape in MODELS.items()}
        super().__init__(lang, models=models, devices=DEVICES, **{**start, **settings})

    @t.validate(*ALLOWED, "device")
    def _check(self, proposal: dict[str, Any]) -> Any:
        name, value = proposal["trait"].name, proposal["value"]
        allowed = DEVICES if name == "device" else ALLOWED[name]
        if value not in allowed:
            raise ValueError(f"{name} is {value!r}: expected one of {', '.join(map(str, allowed))}")
        return value

    def picture(self) -> ET.Element:
        """Return the present setting's numbers, in words and in a table."""
        read, few = (decode_positions(self.prompt_length, self.n, cached=cached) for cached in (False, True))
        values = {"all": si(read), "few": si(few), "ratio": fixed(read / few, 1)}
        texts = [self.strings["positions"].format(**values)]
        most = MODELS[self.model].positions
        if most and few > most:
            texts.append(self.strings["beyond"].format(most=most))
        names = ("model", "prompt_length", "n", "batch")
        settings = ", ".join(f"{self.strings[name]}: {getattr(self, name)}" for name in names)
        return element(
            "div",
            {"class": "mm-card"},
            element("p", {}, settings),
            element("div", {"class": "mm-work"}, self._triangle(), element("p", {}, " ".join(texts))),
            self._table(),
            element("p", {}, self._memory()),
        )

    def _triangle(self) -> ET.Element:
        """A row for each token, what is read again hatched, what is new on its slope and in the first row solid."""
        long, rows = self.prompt_length + self.n - 1, self.n
        slope = f"0% 0%, {100 * self.prompt_length / long:.2f}% 0%, 100% {100 - 100 / rows:.2f}%, 100% 100%"
        below = f"{100 - 100 / long:.2f}% 100%, {100 * (self.prompt_length - 1) / long:.2f}% {100 / rows:.2f}%"
        again = element("i", {"class": "mm-again", "style": f"clip-path:polygon({slope}, 0% 100%)"})
        fresh = element(
            "i", {"class": "mm-fresh", "style": f"clip-path:polygon({slope}, {below}, 0% {100 / rows:.2f}%)"}
        )
        return element("div", {"class": "mm-triangle", "aria-hidden": "true"}, again, fresh)

    def _table(self) -> ET.Element:
        """FLOPs, by where they are spent."""
        shape = MODELS[self.model]
        costs = [decode_flops(shape, self.prompt_length, self.n, cached=cached) for cached in (False, True)]
        heads = [element("th", {"scope": "col"}, self.strings[name]) for name in ("flops", "without", "with")]
        rows = [
            element("tr", {}, element("th", {"scope": "row"}, self.strings[name]), *(_cell(one, name) for one in costs))
            for name in ("linear", "attention", "total")
        ]
        table = element("thead", {}, element("tr", {}, *heads)), element("tbody", {}, *rows)
        return element("table", {"class": "mm-table"}, *table)

    def _memory(self) -> str:
        """Weights and cache against the memory of the device, in a sentence."""
        shape, room = MODELS[self.model], self.device * 2**30
        length = decode_positions(self.prompt_length, self.n, cached=True)  # what was read is what is kept
        weights = shape.num_parameters * self.bytes
        cache = kv_cache_bytes(shape, self.batch, length, self.bytes)
        share = self.strings["percent"].format(n=fixed(100 * min(1, (weights + cache) / room), 1))
        sizes = {"weights": _gib(weights), "cache": _gib(cache), "device": _gib(room)}
        text = self.strings["fits" if weights + cache <= room else "too_big"]
        return str(text.format(**sizes, batch=self.batch, length=length, share=share))


def _cell(flops: Any, name: str) -> ET.Element:
    return element("td", {}, si(getattr(flops, name)))


def _gib(size: float) -> str:
    return f"{fixed(size / 2**20, 1)} MiB" if size < 2**30 else f"{fixed(size / 2**30, 1)} GiB"


def _as_json(shape: ModelShape) -> dict[str, int]:
    """What the page's arithmetic needs of a model."""
    names = ("layers", "heads", "kv_heads", "head_size", "head_weights", "num_parameters", "positions")
    layer = shape.attention_weights + shape.mlp_weights
    return {name: getattr(shape, name) for name in names} | {"layer_weights": layer}
