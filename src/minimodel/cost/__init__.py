"""What decoding costs: parameters, positions, FLOPs and bytes, for any GPT-like shape.

A multiply-add counts as two FLOPs. Only matrix products are counted; norms, activations, the softmax, additions and
look-ups in the embedding are left out, as is usual: they are a small share of the FLOPs of any model of some width.
"""

from minimodel.cost.flops import Flops as Flops
from minimodel.cost.flops import decode_flops as decode_flops
from minimodel.cost.flops import decode_step_flops as decode_step_flops
from minimodel.cost.flops import prefill_flops as prefill_flops
from minimodel.cost.memory import arithmetic_intensity as arithmetic_intensity
from minimodel.cost.memory import decode_step_bytes as decode_step_bytes
from minimodel.cost.memory import kv_cache_bytes as kv_cache_bytes
from minimodel.cost.positions import attended_pairs as attended_pairs
from minimodel.cost.positions import decode_positions as decode_positions
from minimodel.cost.shape import GPT2 as GPT2
from minimodel.cost.shape import LLAMA_3_8B as LLAMA_3_8B
from minimodel.cost.shape import LLAMA_3_70B as LLAMA_3_70B
from minimodel.cost.shape import ModelShape as ModelShape
