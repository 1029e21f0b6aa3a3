"""The cost explorer's arithmetic is minimodel.cost's, in the page and in the picture."""

import re

import numpy as np
import pytest
from bs4 import BeautifulSoup

from minimodel.cost import attended_pairs, decode_flops, decode_positions, kv_cache_bytes
from minimodel.widgets import CostExplorer, esm
from minimodel.widgets.cost_explorer import ALLOWED, LENGTHS, MODELS, si

NAMES = "decodePositions, attendedPairs, decodeFlops, kvCacheBytes, si, LENGTHS, BATCHES, BYTES"
WIDGET = re.sub("export default .*", f"export {{ {NAMES} }};", esm("cost_explorer"))


@pytest.mark.parametrize("model", MODELS)
def test_the_page_counts_as_the_package_does(run_js, model):
    shape, sent = MODELS[model], CostExplorer().models[model]
    cases = [(L, n) for L in (1, 2, 8, 512, 4096) for n in (1, 2, 20, 1024)]
    code = """return data.cases.map(([L, n]) => [false, true].map((cached) => {
        const { linear, attention } = widget.decodeFlops(data.sent, L, n, cached);
        return [widget.decodePositions(L, n, cached), widget.attendedPairs(L, n, cached), linear, attention,
            widget.kvCacheBytes(data.sent, 3, L + n, 0.5)]; }));"""
    got = run_js({"widget": WIDGET}, code, {"cases": cases, "sent": sent})
    for (length, n), pair in zip(cases, got, strict=True):
        for cached, one in zip((False, True), pair, strict=True):
            flops = decode_flops(shape, length, n, cached=cached)
            want = [decode_positions(length, n, cached=cached), attended_pairs(length, n, cached=cached)]
            want += [flops.linear, flops.attention, kv_cache_bytes(shape, 3, length + n, 0.5)]
            np.testing.assert_allclose(one, want, rtol=1e-14)


def test_the_page_says_numbers_and_stops_as_python_does(run_js):
    numbers = [1, 27, 350, 999, 1000, 9994, 9996, 99_960, 999_600, 1_433_600, 2.5e12, 7e20]
    said, lengths, batches, sizes = run_js(
        {"widget": WIDGET}, "return [data.map(widget.si), widget.LENGTHS, widget.BATCHES, widget.BYTES];", numbers
    )
    assert said == [si(number) for number in numbers]
    assert (lengths, batches, sizes) == (LENGTHS, ALLOWED["batch"], ALLOWED["bytes"])


@pytest.mark.parametrize(
    "settings", [{"n": 0}, {"n": 21}, {"model": "GPT-9"}, {"batch": 2048}, {"bytes": 3}, {"device": 1}]
)
def test_a_setting_that_is_not_there_is_named(settings):
    name, value = next(iter(settings.items()))
    with pytest.raises(ValueError, match=f"{name} is {value!r}.*: expected one of"):
        CostExplorer(**settings)


@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_picture_has_the_numbers_in_words(lang):
    small = BeautifulSoup(CostExplorer(lang=lang)._repr_mimebundle_()[0]["text/html"], "html.parser").get_text(" ")
    for number in ("350", "27", si(decode_flops(MODELS["GPT-2"], 8, 20, cached=True).total), "24.0 GiB"):
        assert number in small
    big = CostExplorer(lang=lang, model="Llama-3-70B", prompt_length=1024, n=4096)
    assert big.strings["too_big"].split("{")[-1].split("}")[1] in big._repr_mimebundle_()[0]["text/html"]
    past = CostExplorer(lang=lang, prompt_length=1024)._repr_mimebundle_()[0]["text/html"]
    assert big.strings["beyond"].split("{")[0] in past


def test_the_cache_holds_what_was_read_and_nobody_reads_the_last_token():
    small, full = (
        "".join(CostExplorer(prompt_length=length, n=n).picture().itertext()) for length, n in ((8, 20), (1024, 1))
    )
    assert "the cache of 1 × 27 positions" in small
    assert "the sums go on" not in full
