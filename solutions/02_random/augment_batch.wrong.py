"""Wrong answers to augment_batch; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


def _apply(image, is_flipped, move):
    image = jnp.where(is_flipped, image[:, ::-1], image)
    return jnp.roll(image, move, axis=(0, 1))


# %% as_it_was
# The keys come from outside the mapped function, so all images draw the same numbers.
# Do: Make a key for each image, and also map over the keys.
# Breaks: Returns 5
# At most half of the points.
# Fails: test_each_image_is_flipped_on_its_own, test_each_image_moves_on_its_own,
# test_more_images_need_no_bigger_program
def augment_batch(key, images, most):
    flip_key, move_key = jax.random.split(key)

    def augment(image):
        move = jax.random.randint(move_key, (2,), -most, most + 1)
        return _apply(image, jax.random.bernoulli(flip_key), move)

    return jax.vmap(augment)(images)


# %% moves_together
# Each image is flipped separately, but all images still move together.
# Do: Also draw a move for each image.
# Breaks: Returns 5
# Fails: test_each_image_moves_on_its_own, test_more_images_need_no_bigger_program
def augment_batch(key, images, most):
    flip_key, move_key = jax.random.split(key)
    flips = jax.random.bernoulli(flip_key, shape=(len(images),))
    move = jax.random.randint(move_key, (2,), -most, most + 1)
    return jax.vmap(_apply, (0, 0, None))(images, flips, move)


# %% flips_together
# Each image moves separately, but all images are still flipped together.
# Do: Also draw a flip for each image.
# Breaks: Returns 5
# Fails: test_each_image_is_flipped_on_its_own
def augment_batch(key, images, most):
    flip_key, move_key = jax.random.split(key)
    moves = jax.random.randint(move_key, (len(images), 2), -most, most + 1)
    return jax.vmap(_apply, (0, None, 0))(images, jax.random.bernoulli(flip_key), moves)


# %% split_inside
# The key is split inside the mapped function, where it is the same key for each image.
# Do: Split the key before `vmap`, into one key for each image.
# Breaks: Returns 5
# Fails: test_each_image_is_flipped_on_its_own, test_each_image_moves_on_its_own,
# test_more_images_need_no_bigger_program
def augment_batch(key, images, most):
    def augment(image):
        flip_key, move_key = jax.random.split(key)
        move = jax.random.randint(move_key, (2,), -most, most + 1)
        return _apply(image, jax.random.bernoulli(flip_key), move)

    return jax.vmap(augment)(images)


# %% first_of_the_keys
# There is a key for each image, but every image uses the first one.
# Do: Let `vmap` pass one of the keys to each image.
# Breaks: Returns 5
# Fails: test_each_image_is_flipped_on_its_own, test_each_image_moves_on_its_own,
# test_more_images_need_no_bigger_program
def augment_batch(key, images, most, solution=augment_batch):
    keys = jax.random.split(key, len(images))
    return jax.vmap(lambda image: solution(keys[0], image[None], most)[0])(images)


# %% number_as_the_key
# An image's number is its seed, so each batch is flipped and moved in the same way.
# Do: Split the key passed in, and don't make a key from a number alone.
# Breaks: Returns 7
# Fails: test_the_key_decides, test_each_image_is_flipped_on_its_own,
# test_each_image_moves_on_its_own, test_all_choices_are_equally_likely
def augment_batch(key, images, most, solution=augment_batch):
    keys = jax.vmap(jax.random.key)(jnp.arange(len(images)))
    return jax.vmap(lambda own, image: solution(own, image[None], most)[0])(keys, images)


# %% one_number_for_two_moves
# One number is drawn for each image, so it moves down as far as it moves right.
# Do: Draw two numbers for each image.
# Breaks: Returns 5
# Fails: test_all_choices_are_equally_likely
def augment_batch(key, images, most):
    flip_key, move_key = jax.random.split(key)
    flips = jax.random.bernoulli(flip_key, shape=(len(images),))
    moves = jax.random.randint(move_key, (len(images), 1), -most, most + 1)
    return jax.vmap(_apply)(images, flips, jnp.tile(moves, 2))


# %% one_key_for_two_choices
# An image's key is used for its flip, and then again for its move.
# Do: Split each image's key for its two choices.
# Breaks: Returns 6
# Fails: test_the_key_decides
def augment_batch(key, images, most):
    def augment(own, image):
        move = jax.random.randint(own, (2,), -most, most + 1)
        return _apply(image, jax.random.bernoulli(own), move)

    return jax.vmap(augment)(jax.random.split(key, len(images)), images)


# %% never_the_largest_move
# `randint` never draws its upper end, so no image moves by `most` to the right.
# Do: Keep the upper end at most + 1.
# Breaks: Returns 3
# Fails: test_all_choices_are_equally_likely
def augment_batch(key, images, most):
    flip_key, move_key = jax.random.split(key)
    flips = jax.random.bernoulli(flip_key, shape=(len(images),))
    moves = jax.random.randint(move_key, (len(images), 2), -most, most)
    return jax.vmap(_apply)(images, flips, moves)


# %% batch_axis_flipped
# Without `vmap`, the axes still count the image axis: the image turns upside down.
# Do: Recount the axes where an array has an extra one in front.
# Breaks: Returns 2
# Fails: test_each_image_stays_whole, test_each_image_is_flipped_on_its_own,
# test_each_image_moves_on_its_own, test_all_choices_are_equally_likely,
# test_more_images_need_no_bigger_program
def augment_batch(key, images, most):
    flip_key, move_key = jax.random.split(key)
    n = len(images)
    flips = jax.random.bernoulli(flip_key, shape=(n, 1, 1, 1))
    moves = jax.random.randint(move_key, (n, 2), -most, most + 1)
    images = jnp.where(flips, images[:, ::-1], images)
    return jax.vmap(lambda image, move: jnp.roll(image, move, axis=(0, 1)))(images, moves)


# %% image_by_image
# A Python loop over the images adds the operations for each to the program.
# Do: Map over keys and images with `vmap`.
# Breaks: Returns 9
# Fails: test_more_images_need_no_bigger_program
def augment_batch(key, images, most, solution=augment_batch):
    keys = jax.random.split(key, len(images))
    pairs = zip(keys, images, strict=True)
    return jnp.stack([solution(own, image[None], most)[0] for own, image in pairs])


# %% equivalent
# Changes that make no difference.
{
    "return jnp.roll(image, move, axis=(0, 1)) -> return jnp.roll(image, move, axis=(1, 0))": "Both numbers have the same distribution."
}


# %% harmless
# General faults that are allowed, with the reason.
{"argument_never_empty of `images`": "The text asks for at least one image."}


# %% once missed
# %% flip_by_weights
# The flip is a weighted sum with a float weight, so whole numbers become floats.
# Breaks: Returns 1
# Fails: test_each_image_stays_whole
def augment_batch(key, images, most):
    def augment(own, image):
        flip_key, move_key = jax.random.split(own)
        weight = jax.random.bernoulli(flip_key).astype(jnp.float32)
        move = jax.random.randint(move_key, (2,), -most, most + 1)
        return jnp.roll(weight * image[:, ::-1] + (1 - weight) * image, move, axis=(0, 1))

    return jax.vmap(augment)(jax.random.split(key, len(images)), images)


# %% cut_from_zeros
# What moves out is lost, and zeros come in on the opposite side.
# Breaks: Returns 4
# Fails: test_each_image_stays_whole, test_each_image_is_flipped_on_its_own,
# test_each_image_moves_on_its_own, test_all_choices_are_equally_likely,
# test_more_images_need_no_bigger_program
def augment_batch(key, images, most):
    def augment(own, image):
        flip_key, move_key = jax.random.split(own)
        image = jnp.where(jax.random.bernoulli(flip_key), image[:, ::-1], image)
        padded = jnp.pad(image, ((most, most), (most, most), (0, 0)))
        down, right = jax.random.randint(move_key, (2,), 0, 2 * most + 1)
        return jax.lax.dynamic_slice(padded, (down, right, 0), image.shape)

    return jax.vmap(augment)(jax.random.split(key, len(images)), images)


# %% moves_as_numbers
# The moves are turned into Python numbers, which have no value while tracing.
# Breaks: Returns 8
# Fails: test_the_key_decides, test_each_image_is_flipped_on_its_own,
# test_each_image_moves_on_its_own, test_all_choices_are_equally_likely,
# test_more_images_need_no_bigger_program
def augment_batch(key, images, most):
    keys = jax.random.split(key, 2)
    flips = jax.random.bernoulli(keys[0], shape=(len(images),))
    moves = jax.random.randint(keys[1], (len(images), 2), -most, most + 1)
    pairs = zip(images, flips.tolist(), moves.tolist(), strict=True)
    return jnp.stack([jnp.roll(x[:, ::-1] if flip else x, m, (0, 1)) for x, flip, m in pairs])
