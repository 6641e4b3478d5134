"""Reference solution: a key for each image, which is split for its choices."""

import jax
import jax.numpy as jnp


def augment_batch(key: jax.Array, images: jax.Array, most: int) -> jax.Array:
    """The keys are mapped together with the images."""

    def augment(own, image):
        flip_key, move_key = jax.random.split(own)
        is_flipped = jax.random.bernoulli(flip_key)
        move = jax.random.randint(move_key, (2,), -most, most + 1)
        image = jnp.where(is_flipped, image[:, ::-1], image)
        return jnp.roll(image, move, axis=(0, 1))

    return jax.vmap(augment)(jax.random.split(key, len(images)), images)
