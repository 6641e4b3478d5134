"""Fix images that all move together.

Pseudorandom numbers: https://docs.jax.dev/en/latest/random-numbers.html
"""

import jax
import jax.numpy as jnp


def augment_batch(key: jax.Array, images: jax.Array, most: int) -> jax.Array:
    """Return a batch of images, each randomly flipped and randomly moved by a few pixels.

    This program runs, and somebody uses it. Fix it.

    Observed behaviour: each image alone looks right. But either all images of a batch are flipped
    or none are, and they all move by the same number of pixels.

    Args:
        key: one typed key, such as `jax.random.key(seed)`.
        images: an array of shape (N, H, W, C), N images of C channels, N at least 1.
        most: the largest move, a Python int, at least 1 and less than half of H and of W.

    Returns:
        An array of the shape and dtype of `images`. Each image is flipped from left to right with
        probability 1/2. It moves down and to the right by two whole numbers of pixels, each equally
        likely to be any number from -most to most. What moves out on one side comes in on the
        opposite one. All choices are independent. No key is split or drawn from twice. The same key
        gives the same batch, and another key gives a different one. Works under `jit`. For 120
        images, the program has fewer than 2400 operations.

    Examples:
        These 50 images are equal. In a batch, they come out in many ways:

        >>> images = jnp.tile(jnp.arange(8), (50, 8, 1))[..., None]
        >>> batch = augment_batch(jax.random.key(0), images, 3)
        >>> len({tuple(image.ravel().tolist()) for image in batch}) > 5
        True
    """
    flip_key, move_key = jax.random.split(key)

    def augment(image):
        is_flipped = jax.random.bernoulli(flip_key)
        move = jax.random.randint(move_key, (2,), -most, most + 1)
        image = jnp.where(is_flipped, image[:, ::-1], image)
        return jnp.roll(image, move, axis=(0, 1))

    return jax.vmap(augment)(images)
