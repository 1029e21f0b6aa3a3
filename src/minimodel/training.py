"""Train the Mini-GPT on texts of the grammar: ``python -m minimodel.training`` (or ``make train``), seconds a language.

The grammar is an endless corpus, so every batch is new and nothing can be overfitted; and since its true distribution
is known, so is the best loss there can be. What is reported is the distance from it: the mean divergence
KL(truth ‖ model) a token, in nats, which is the cross-entropy minus the grammar's own entropy.
"""

import argparse
import json
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from safetensors.numpy import save_file
from torch.nn import functional as F  # noqa: N812 - the name that PyTorch code gives it

from minimodel.corpus.grammar import Grammar
from minimodel.decoding.model import Model
from minimodel.gpt import GPTConfig, MiniGPT
from minimodel.language import LANGUAGES, check_language
from minimodel.measures import kl_divergence
from minimodel.measures.inflection import inflections
from minimodel.sampling.softmax import softmax
from minimodel.weights import read_safetensors

Parameters: TypeAlias = dict[str, torch.Tensor]
WEIGHTS = Path(__file__).parent / "weights"
STEPS, BATCH, PEAK_RATE = 600, 32, 4e-3


def train(
    grammar: Grammar, *, steps: int = STEPS, seed: int = 0, report: Callable[[int, float], None] | None = None
) -> dict[str, NDArray[np.float16]]:
    """Train a model from scratch on the texts of a grammar.

    The result depends on the seed, and on the machine in its last digits: compare losses, not bits.

    Args:
        grammar: of a language, or the part of it to train on that `Grammar.split` gives.
        steps: of the optimiser, each on a batch of 32 new texts of 64 words.
        seed: of the first weights and of the texts.
        report: called after every step with its number and its loss in nats a token.

    Returns:
        The weights in half precision, under GPT-2's names.
    """
    config = GPTConfig()
    rng = np.random.default_rng(seed)
    parameters = initial_parameters(config, torch.Generator().manual_seed(seed))
    optimizer = torch.optim.AdamW(parameters.values(), lr=PEAK_RATE, betas=(0.9, 0.99), weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, PEAK_RATE, total_steps=steps, pct_start=0.1)
    for step in range(1, steps + 1):
        texts = torch.from_numpy(batch(grammar, rng, config.context_length + 1))
        logits = forward(config, parameters, texts[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), texts[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(parameters.values(), 1.0)
        optimizer.step()
        schedule.step()
        if report:
            report(step, loss.item())
    return {name: tensor.detach().numpy().astype(np.float16) for name, tensor in parameters.items()}


def batch(grammar: Grammar, rng: np.random.Generator, length: int) -> NDArray[np.intp]:
    """Return a batch of texts, shape ``(32, length)``: most from their start, a quarter cut out of the middle.

    The cuts teach the model the windows it will see when a text has outgrown its context.
    """
    texts = grammar.sample_rows(rng, BATCH, 2 * length)
    starts = np.where(np.arange(BATCH) < BATCH // 4, rng.integers(0, length, BATCH), 0)
    return np.take_along_axis(texts, starts[:, np.newaxis] + np.arange(length), axis=1)


def initial_parameters(config: GPTConfig, generator: torch.Generator) -> Parameters:
    """Return GPT-2's first weights: normal with deviation .02, smaller where they write to the residual stream."""
    parameters = {}
    for name, shape in config.shapes().items():
        if name.endswith(".bias"):
            tensor = torch.zeros(shape)
        elif len(shape) == 1:
            tensor = torch.ones(shape)
        else:
            deviation = 0.02 / (math.sqrt(2 * config.layers) if "c_proj" in name else 1)
            tensor = torch.randn(shape, generator=generator) * deviation
        parameters[name] = tensor.requires_grad_()
    return parameters


def forward(config: GPTConfig, w: Parameters, ids: torch.Tensor) -> torch.Tensor:
    """Return logits of shape ``(B, T, V)`` for ids of shape ``(B, T)``: `MiniGPT` once more, differentiable."""
    x = w["wte.weight"][ids] + w["wpe.weight"][: ids.shape[1]]
    for layer in range(config.layers):
        block = {name.removeprefix(f"h.{layer}."): tensor for name, tensor in w.items()}
        x = x + _attention(config, block, _norm(block, "ln_1", x))
        h = F.gelu(_linear(block, "mlp.c_fc", _norm(block, "ln_2", x)), approximate="tanh")
        x = x + _linear(block, "mlp.c_proj", h)
    return _norm(w, "ln_f", x) @ w["wte.weight"].T


def _attention(config: GPTConfig, block: Parameters, x: torch.Tensor) -> torch.Tensor:
    heads = (*x.shape[:2], config.heads, -1)
    q, k, v = (part.reshape(heads).transpose(1, 2) for part in _linear(block, "attn.c_attn", x).chunk(3, dim=-1))
    mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    return _linear(block, "attn.c_proj", mixed.transpose(1, 2).reshape(x.shape))


def _norm(block: Parameters, name: str, x: torch.Tensor) -> torch.Tensor:
    return F.layer_norm(x, x.shape[-1:], block[f"{name}.weight"], block[f"{name}.bias"])


def _linear(block: Parameters, name: str, x: torch.Tensor) -> torch.Tensor:
    return x @ block[f"{name}.weight"] + block[f"{name}.bias"]


def excess_loss(model: MiniGPT, grammar: Grammar, *, texts: int = 64, seed: int = 1) -> float:
    """Return by how much the model's loss exceeds the grammar's entropy: mean KL(truth ‖ model) a token, in nats.

    Args:
        model: the model.
        grammar: the grammar it should have learned.
        texts: how many texts to measure on, of ``context_length`` words each.
        seed: of the texts; not that of the training.
    """
    rows = grammar.sample_rows(np.random.default_rng(seed), texts, model.context_length)
    truth = np.array([grammar.next_word_probs_along(row) for row in rows])
    return float(np.mean(kl_divergence(truth, softmax([model(row) for row in rows]))))


def main() -> None:
    """Train, measure and save the models of one language or of all of them, side by side."""
    parser = argparse.ArgumentParser(prog="python -m minimodel.training", description=main.__doc__)
    parser.add_argument("--lang", choices=LANGUAGES, action="append", help="the language (all of them if left out)")
    parser.add_argument("--seed", type=int, default=0, help="of the first weights and of the texts (0 if left out)")
    parser.add_argument(
        "--hold-out", type=float, default=0.0, metavar="SHARE", help="of the verb forms' cells, never to be said (none)"
    )
    parser.add_argument("--out", type=Path, default=WEIGHTS, help="the folder for the weights (the package's own)")
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help="draw the losses over the grammar's entropy, e.g. loss.svg"
    )
    parser.add_argument(
        "--report", type=Path, metavar="FILE", help="write what the models make of the forms held out, as JSON"
    )
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    langs = options.lang or list(LANGUAGES)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TextColumn("loss {task.fields[loss]:.3f}")) as progress, ThreadPoolExecutor() as pool:
        losses: dict[str, list[float]] = {lang: [] for lang in langs}
        tasks = {lang: progress.add_task(lang, total=STEPS, loss=math.nan) for lang in langs}
        reports = [partial(_show, progress, tasks[lang], losses[lang]) for lang in langs]
        run = partial(train_and_save, seed=options.seed, hold_out=options.hold_out, out=options.out)
        paths = list(pool.map(run, langs, reports))
    found: dict[str, Any] = {}
    for lang, path in zip(langs, paths, strict=True):
        model = MiniGPT(GPTConfig(), read_safetensors(path))
        gap = excess_loss(model, Grammar.load(lang))
        print(f"{path}: {path.stat().st_size / 1000:.0f} kB, {gap:.4f} nats a token above the grammar's entropy")
        found[lang] = report = held_out_report(model, lang, seed=options.seed, share=options.hold_out)
        if unread := report["held out"]:
            print(f"{lang}: {sum(form['right'] for form in unread)} of {len(unread)} forms right that it never read")
    if options.report:
        options.report.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")
    if options.plot:
        import_module("minimodel.learning_curve").save_learning(options.plot, losses, length=GPTConfig().context_length)
        print(f"{options.plot}: the losses, step by step")


def train_and_save(lang: str, report: Callable[[int, float], None], *, seed: int, hold_out: float, out: Path) -> Path:
    """Train the model of a language on one core and write its weights to ``out``; return the file."""
    torch.set_num_threads(1)  # the matrices are small: more threads would only wait for one another
    path = out / f"{check_language(lang)}.safetensors"
    grammar, held_out = Grammar.load(lang).split(seed=seed, share=hold_out)
    weights = train(grammar, seed=seed, report=report)
    facts = {
        "lang": lang,
        "seed": str(seed),
        "steps": str(STEPS),
        "held out": "; ".join(map(" ".join, sorted(held_out))),
    }
    save_file(weights, path, metadata=facts)
    return path


def held_out_report(model: Model, lang: str, *, seed: int, share: float) -> dict[str, Any]:
    """Return what a model makes of the forms that `train_and_save` held out, one by one, and of all others."""
    grammar = Grammar.load(lang)
    _, held_out = grammar.split(seed=seed, share=share)
    unread = inflections(model, grammar, sorted(held_out))
    read = inflections(model, grammar, [cell for cell in grammar.cells() if cell not in held_out])
    share_of_read = float(np.mean([form.share for form in read]))
    return {
        "held out": [form._asdict() for form in unread],
        "read": {"forms": len(read), "right": sum(form.right for form in read), "share": share_of_read},
    }


def _show(progress: Progress, task: TaskID, losses: list[float], step: int, loss: float) -> None:
    losses.append(loss)
    progress.update(task, completed=step, loss=loss)


if __name__ == "__main__":
    main()
