"""Other right answers to augment_batch; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% drawn_at_once
# All choices are drawn before, and the pixels are looked up at their old places.
def augment_batch(key, images, most):
    flip_key, move_key = jax.random.split(key)
    n, h, w, _ = images.shape
    flips = jax.random.bernoulli(flip_key, 0.5, (n, 1))
    moves = jax.random.randint(move_key, (n, 2), -most, most + 1)
    rows = (jnp.arange(h) - moves[:, :1]) % h
    columns = (jnp.arange(w) - moves[:, 1:]) % w
    columns = jnp.where(flips, w - 1 - columns, columns)
    return images[jnp.arange(n)[:, None, None], rows[:, :, None], columns[:, None, :]]


# %% numbers_of_images
# The number of an image is folded into the key, in a loop of the program.
def augment_batch(key, images, most):
    def augment(pair):
        number, image = pair
        flip_key, down_key, right_key = jax.random.split(jax.random.fold_in(key, number), 3)
        down = jax.random.randint(down_key, (), -most, most + 1)
        right = jax.random.randint(right_key, (), -most, most + 1)
        image = jnp.roll(jnp.roll(image, down, axis=0), right, axis=1)
        return jax.lax.cond(jax.random.bernoulli(flip_key), jnp.fliplr, jnp.asarray, image)

    return jax.lax.map(augment, (jnp.arange(len(images)), images))


# %% one_of_all_choices
# One whole number for each image says which of all choices it is.
def augment_batch(key, images, most):
    side = 2 * most + 1
    choice = jax.random.randint(key, (len(images),), 0, 2 * side**2)

    def augment(choice, image):
        choice, right = jnp.divmod(choice, side)
        flip, down = jnp.divmod(choice, side)
        image = jnp.roll(image, (down - most, right - most), axis=(0, 1))
        return jnp.where(flip == 1, jnp.flip(image, axis=1), image)

    return jax.vmap(augment)(choice, images)
