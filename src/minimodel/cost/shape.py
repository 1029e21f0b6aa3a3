"""The shape of a GPT-like model, and how many parameters it has."""

from dataclasses import dataclass
from typing import Self

from minimodel.counts import check_count
from minimodel.gpt import GPTConfig


@dataclass(frozen=True, kw_only=True)
class ModelShape:
    """The numbers that a model's cost follows from.

    Attributes:
        vocab_size: V, the number of tokens.
        width: d, of the residual stream.
        layers: the number of blocks, each attention and a two- or three-matrix network (MLP).
        heads: query heads.
        kv_heads: key and value heads; each serves ``heads / kv_heads`` query heads. Equal to ``heads`` in plain
            multi-head attention, fewer in grouped-query attention, 1 in multi-query attention.
        head_size: of a query, a key and a value.
        mlp_width: of the network's hidden layer.
        gated_mlp: whether a third matrix gates that layer, as SwiGLU does.
        tied_head: whether the head is the token embedding, one matrix for both.
        positions: the number of learned position vectors; 0 where positions are rotary.
        bias: whether linear layers and norms (then layer norms, else RMS norms) have biases; the head has none.

    Raises:
        ValueError: a number is not a whole one of 1 or more (0 for ``positions``), or ``heads`` is not a multiple
            of ``kv_heads``.

    Source:
        Radford et al. (2019), GPT-2; Ainslie et al. (2023), "GQA: training generalized multi-query transformer models";
        Grattafiori et al. (2024), "The Llama 3 herd of models".
    """

    vocab_size: int
    width: int
    layers: int
    heads: int
    kv_heads: int
    head_size: int
    mlp_width: int
    gated_mlp: bool
    tied_head: bool
    positions: int
    bias: bool

    def __post_init__(self) -> None:
        for name in ("vocab_size", "width", "layers", "heads", "kv_heads", "head_size", "mlp_width"):
            check_count(name, getattr(self, name))
        check_count("positions", self.positions, least=0)
        if self.heads % self.kv_heads:
            raise ValueError(f"heads is {self.heads}: expected a multiple of kv_heads, {self.kv_heads}")

    @classmethod
    def of(cls, config: GPTConfig) -> Self:
        """Return the shape of a Mini-GPT, which is a small GPT-2.

        Raises:
            ValueError: a number is below 1, or the width is not a multiple of the number of heads.

        Examples:
            >>> ModelShape.of(GPTConfig()).num_parameters
            108288
        """
        d, heads = config.width, config.heads
        check_count("heads", heads)
        if d % heads:
            raise ValueError(f"width is {d}: expected a multiple of heads, {heads}")
        attention = {"heads": heads, "kv_heads": heads, "head_size": d // heads}
        sizes = {"vocab_size": config.vocab_size, "width": d, "layers": config.layers, "mlp_width": 4 * d}
        return cls(**sizes, **attention, positions=config.context_length, gated_mlp=False, tied_head=True, bias=True)

    @property
    def attention_weights(self) -> int:
        """Weights of a layer's query, key, value and output matrices: 2·d·s·(heads + KV heads), s the head size."""
        return 2 * self.width * self.head_size * (self.heads + self.kv_heads)

    @property
    def mlp_weights(self) -> int:
        """Weights of a layer's MLP: 2·d·m, m its width; 3·d·m where it is gated."""
        return (3 if self.gated_mlp else 2) * self.width * self.mlp_width

    @property
    def head_weights(self) -> int:
        """Weights of the head, which makes logits of what the last layer gives: d·V."""
        return self.width * self.vocab_size

    @property
    def layer_biases(self) -> int:
        """Biases of a layer's linear layers and two norms; 0 in a model that has none."""
        attention = self.head_size * (self.heads + 2 * self.kv_heads) + self.width
        mlp = self.mlp_width * (2 if self.gated_mlp else 1) + self.width
        return attention + mlp + 2 * self.width if self.bias else 0

    @property
    def num_parameters(self) -> int:
        """How many numbers training sets; a tied head counts once.

        Embeddings, V·d for tokens and d for every learned position; for each layer its matrices, biases and the
        gains of two norms; the last norm; the head unless it is tied.

        Examples:
            >>> GPT2.num_parameters, LLAMA_3_8B.num_parameters, LLAMA_3_70B.num_parameters
            (124439808, 8030261248, 70553706496)
        """
        embeddings = self.width * (self.vocab_size + self.positions)
        layer = self.attention_weights + self.mlp_weights + self.layer_biases + 2 * self.width
        last_norm = self.width * (2 if self.bias else 1)
        return embeddings + self.layers * layer + last_norm + (0 if self.tied_head else self.head_weights)


GPT2 = ModelShape(
    vocab_size=50_257,
    width=768,
    layers=12,
    heads=12,
    kv_heads=12,
    head_size=64,
    mlp_width=3072,
    gated_mlp=False,
    tied_head=True,
    positions=1024,
    bias=True,
)
"""GPT-2, the smallest of four (Radford et al., 2019)."""

LLAMA_3_8B = ModelShape(
    vocab_size=128_256,
    width=4096,
    layers=32,
    heads=32,
    kv_heads=8,
    head_size=128,
    mlp_width=14_336,
    gated_mlp=True,
    tied_head=False,
    positions=0,
    bias=False,
)
"""Llama-3-8B (Grattafiori et al., 2024)."""

LLAMA_3_70B = ModelShape(
    vocab_size=128_256,
    width=8192,
    layers=80,
    heads=64,
    kv_heads=8,
    head_size=128,
    mlp_width=28_672,
    gated_mlp=True,
    tied_head=False,
    positions=0,
    bias=False,
)
"""Llama-3-70B (Grattafiori et al., 2024)."""
