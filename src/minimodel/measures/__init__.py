"""What to measure on a distribution, on a text, on a set of completions, and on a sampler."""

from minimodel.measures.completions import accuracy as accuracy
from minimodel.measures.completions import distinct as distinct
from minimodel.measures.completions import distinct_n as distinct_n
from minimodel.measures.completions import diversity as diversity
from minimodel.measures.completions import loop_length as loop_length
from minimodel.measures.completions import type_token_ratio as type_token_ratio
from minimodel.measures.information import cross_entropy as cross_entropy
from minimodel.measures.information import entropy as entropy
from minimodel.measures.information import kl_divergence as kl_divergence
from minimodel.measures.information import perplexity as perplexity
