"""Fix a language model's loss.

https://docs.jax.dev/en/latest/_autosummary/jax.nn.log_softmax.html
"""

import jax
import jax.numpy as jnp


def lm_loss(logits: jax.Array, tokens: jax.Array) -> jax.Array:
    """Return the loss of a language model on a batch of texts: the mean cross entropy per token.

    This program runs, and somebody uses it. Fix it.

    Symptoms: in training, the loss is near zero after a few minutes, even on texts that the model
        has never seen. Its generated text repeats one word over and over. The model's attention was
        tested, and no token sees a later one.

    Args:
        logits: float32 of shape (B, T, V), with T at least 2. Row t of a text is the model's
            prediction of the next token after reading tokens 0 to t.
        tokens: int32 of shape (B, T), from 0 to V - 1. Padding has the token -1, and comes only
            after a text. The batch has at least one text with two tokens.

    Returns:
        A float32 scalar: the mean of -log(softmax(row)[next token]) over all tokens of all texts,
        except the first token of each text, which is never predicted. Padding doesn't count. Loss
        and gradient are finite, even for large logits. Works under `jit` and `grad`.

    Examples:
        The model knows the text 2, 0, 1 by heart. It gives each next token a logit of 100.

        >>> tokens = jnp.array([[2, 0, 1]])
        >>> logits = 100 * jax.nn.one_hot(jnp.array([[0, 1, 2]]), 3)
        >>> abs(float(lm_loss(logits, tokens)))
        0.0

        This model says that each token is followed by the same token:

        >>> float(lm_loss(100 * jax.nn.one_hot(tokens, 3), tokens))
        100.0
    """
    logs = jax.nn.log_softmax(logits)
    is_real = tokens >= 0
    each = jnp.take_along_axis(logs, jnp.where(is_real, tokens, 0)[..., None], axis=-1)[..., 0]
    return -jnp.sum(jnp.where(is_real, each, 0)) / jnp.sum(is_real)
