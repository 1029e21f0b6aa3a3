"""What was asked for becomes a strategy, and nothing else does."""

from minimodel.cli.settings import Settings


def names(settings):
    return [name for name, _ in settings.strategy().transforms()]


def test_only_what_was_asked_for():
    assert names(Settings()) == []
    assert names(Settings(top_p=0.9)) == ["top-p"]
    assert names(Settings(temperature=0.5, min_p=0.1)) == ["temperature", "min-p"]


def test_all_of_it_comes_in_the_order_of_the_contract():
    everything = Settings(min_p=0.1, top_p=0.9, top_k=5, temperature=0.5, repetition_penalty=1.2)
    assert names(everything) == ["repetition penalty", "temperature", "top-k", "top-p", "min-p"]


def test_seeds_count_up_from_the_one_given_or_a_fresh_one():
    assert list(Settings(seed=0, n=3).seeds()) == [0, 1, 2]
    fresh = {Settings(n=2).seeds() for _ in range(5)}
    assert len(fresh) == 5
    assert all(len(seeds) == 2 for seeds in fresh)
