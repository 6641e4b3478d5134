"""What learners get wrong in pipeline_stages; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P


def of_first(x, t, arrived, me):
    """Device 0 takes the next microbatch, and each other device what has arrived."""
    return jnp.where(me == 0, x[jnp.minimum(t, len(x) - 1)], arrived)


def to_next(given, result, n, me):
    return lax.ppermute(result, "stage", [(i, i + 1) for i in range(n - 1)])


def of_last(results, n, me):
    return lax.psum(jnp.where(me == n - 1, results[n - 1 :], 0), "stage")


def built(take=of_first, send=to_next, end=of_last, stages=None, check_vma=True):
    """The solution with other parts."""

    def pipeline_stages(stage, params, x, mesh):
        n = stages or mesh.shape["stage"]

        def part(params, x):
            own = jax.tree.map(lambda leaf: leaf[0], params)
            me = lax.axis_index("stage")

            def tick(arrived, t):
                given = take(x, t, arrived, me)
                result = stage(own, given)
                return send(given, result, n, me), result

            nothing = lax.pcast(jnp.zeros_like(x[0]), "stage", to="varying")
            return end(lax.scan(tick, nothing, jnp.arange(len(x) - 1 + n))[1], n, me)

        specs = (P("stage"), P())
        return jax.shard_map(part, mesh=mesh, in_specs=specs, out_specs=P(), check_vma=check_vma)(
            params, x
        )

    return pipeline_stages


# %% all_stages_everywhere
# Each device gathers the parameters of all stages, and computes everything.
# Do: Keep one stage on each device, and send its results to the next device by `ppermute`.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_the_devices_work_at_the_same_time, test_results_travel_and_no_parameters
def pipeline_stages(stage, params, x, mesh):
    def part(params, x):
        whole = jax.tree.map(lambda leaf: lax.all_gather(leaf[0], "stage"), params)

        def through(h, p):
            return jax.vmap(lambda h: stage(p, h))(h), None

        return lax.scan(through, x, whole)[0]

    return jax.shard_map(
        part, mesh=mesh, in_specs=(P("stage"), P()), out_specs=P(), check_vma=False
    )(params, x)


# %% whole_batch
# All microbatches go through a stage together, so the other devices' work is wasted.
# Do: Send one microbatch in each tick, and begin the next one immediately.
# Breaks: Returns 2
# Fails: test_the_devices_work_at_the_same_time
def pipeline_stages(stage, params, x, mesh):
    n = mesh.shape["stage"]
    ring = [(i, (i + 1) % n) for i in range(n)]

    def part(params, x):
        own = jax.tree.map(lambda leaf: leaf[0], params)

        def tick(h, _):
            return lax.ppermute(jax.vmap(lambda h: stage(own, h))(h), "stage", ring), None

        h = lax.scan(tick, lax.pcast(x, "stage", to="varying"), None, length=n)[0]
        return lax.psum(jnp.where(lax.axis_index("stage") == 0, h, 0), "stage")

    return jax.shard_map(part, mesh=mesh, in_specs=(P("stage"), P()), out_specs=P())(params, x)


# %% next_one_waits
# A microbatch enters only when the previous one has left the last stage.
# Do: Let a microbatch enter in each tick. There are M + n - 1 ticks in all.
# Breaks: Returns 2
# Fails: test_the_devices_work_at_the_same_time
def pipeline_stages(stage, params, x, mesh):
    n = mesh.shape["stage"]
    ring = [(i, (i + 1) % n) for i in range(n)]

    def part(params, x):
        own = jax.tree.map(lambda leaf: leaf[0], params)

        def one(_, h):
            h = lax.pcast(h, "stage", to="varying")
            for _ in range(n):
                h = lax.ppermute(stage(own, h), "stage", ring)
            return None, h

        h = lax.scan(one, None, x)[1]
        return lax.psum(jnp.where(lax.axis_index("stage") == 0, h, 0), "stage")

    return jax.shard_map(part, mesh=mesh, in_specs=(P("stage"), P()), out_specs=P())(params, x)


# %% written_out
# The ticks are a Python loop, so the program has a copy of the stage for each.
# Do: Make the ticks a `jax.lax.scan`.
# Breaks: Returns 3
# Fails: test_the_program_does_not_grow
def pipeline_stages(stage, params, x, mesh):
    n, last = mesh.shape["stage"], len(x) - 1
    to_next = [(i, i + 1) for i in range(n - 1)]

    def part(params, x):
        own = jax.tree.map(lambda leaf: leaf[0], params)
        me, arrived, results = lax.axis_index("stage"), jnp.zeros_like(x[0]), []
        for t in range(last + n):
            results.append(stage(own, jnp.where(me == 0, x[min(t, last)], arrived)))
            arrived = lax.ppermute(results[-1], "stage", to_next)
        return lax.psum(jnp.where(me == n - 1, jnp.stack(results[n - 1 :]), 0), "stage")

    return jax.shard_map(part, mesh=mesh, in_specs=(P("stage"), P()), out_specs=P())(params, x)


# %% first_results
# The results of the first M ticks are taken, when the last device has none yet.
# Do: The result of microbatch m leaves the last device in tick m + n - 1.
# Breaks: Returns 1
# Fails: test_each_microbatch_goes_through_all_stages, test_the_devices_work_at_the_same_time,
# test_results_travel_and_no_parameters, test_the_program_does_not_grow,
# test_gradients_go_back_through_all_stages, test_details
pipeline_stages = built(
    end=lambda results, n, me: lax.psum(
        jnp.where(me == n - 1, results[: len(results) - n + 1], 0), "stage"
    )
)


# %% all_devices_added
# The results of all stages are added up, instead of only the last stage's.
# Do: Set the other devices' results to 0 with `jnp.where`.
# Breaks: Returns 1
# Fails: test_each_microbatch_goes_through_all_stages, test_the_devices_work_at_the_same_time,
# test_results_travel_and_no_parameters, test_the_program_does_not_grow,
# test_gradients_go_back_through_all_stages, test_details
pipeline_stages = built(end=lambda results, n, me: lax.psum(results[n - 1 :], "stage"))


# %% masked_by_a_product
# Values that aren't results are multiplied by 0 before the sum, and NaN times 0 is NaN.
# Do: Use `jnp.where`.
# Breaks: Details 2
# Fails: test_details
def pipeline_stages(stage, params, x, mesh):
    n, last = mesh.shape["stage"], len(x) - 1
    to_next = [(i, i + 1) for i in range(n - 1)]

    def part(params, x):
        own = jax.tree.map(lambda leaf: leaf[0], params)
        me = lax.axis_index("stage")

        def tick(state, t):
            arrived, out = state
            result = stage(own, jnp.where(me == 0, x[jnp.minimum(t, last)], arrived))
            counts = ((me == n - 1) & (t >= n - 1)).astype(x.dtype)
            out = out.at[jnp.maximum(t - (n - 1), 0)].add(counts * result)
            return (lax.ppermute(result, "stage", to_next), out), None

        nothing = lax.pcast((jnp.zeros_like(x[0]), jnp.zeros_like(x)), "stage", to="varying")
        (_, out), _ = lax.scan(tick, nothing, jnp.arange(last + n))
        return lax.psum(out, "stage")

    return jax.shard_map(part, mesh=mesh, in_specs=(P("stage"), P()), out_specs=P())(params, x)


# %% backwards
# Each device sends to the device before it.
# Do: The pairs of `ppermute` are (i, i + 1).
# Breaks: Returns 1
# Fails: test_each_microbatch_goes_through_all_stages, test_the_devices_work_at_the_same_time,
# test_results_travel_and_no_parameters, test_the_program_does_not_grow,
# test_gradients_go_back_through_all_stages, test_details
pipeline_stages = built(
    send=lambda given, result, n, me: lax.ppermute(
        result, "stage", [(i + 1, i) for i in range(n - 1)]
    )
)


# %% first_microbatch_only
# The first device takes the first microbatch in each tick.
# Do: In tick t it takes x[t].
# Breaks: Returns 1
# Fails: test_each_microbatch_goes_through_all_stages, test_the_devices_work_at_the_same_time,
# test_results_travel_and_no_parameters, test_the_program_does_not_grow,
# test_gradients_go_back_through_all_stages, test_details
pipeline_stages = built(take=lambda x, t, arrived, me: jnp.where(me == 0, x[0], arrived))


# %% everybody_takes
# Each device takes a microbatch of x in each tick, and none uses what has arrived.
# Do: Only device 0 takes from x.
# Breaks: Returns 1
# Fails: test_each_microbatch_goes_through_all_stages, test_the_devices_work_at_the_same_time,
# test_results_travel_and_no_parameters, test_the_program_does_not_grow,
# test_gradients_go_back_through_all_stages, test_details
pipeline_stages = built(take=lambda x, t, arrived, me: x[jnp.minimum(t, len(x) - 1)])


# %% sent_before_the_stage
# Each device sends on what has arrived, instead of its stage's result.
# Do: Send the result of the stage.
# Breaks: Returns 1
# Fails: test_each_microbatch_goes_through_all_stages, test_the_devices_work_at_the_same_time,
# test_results_travel_and_no_parameters, test_the_program_does_not_grow,
# test_gradients_go_back_through_all_stages, test_details
pipeline_stages = built(send=lambda given, result, n, me: to_next(given, given, n, me))


# %% own_result
# Each device returns its own results, and those of device 0 are taken.
# Do: Add up over the devices, with zeros from all but the last one.
# Breaks: Returns 1
# Fails: test_each_microbatch_goes_through_all_stages, test_the_devices_work_at_the_same_time,
# test_results_travel_and_no_parameters, test_the_program_does_not_grow,
# test_gradients_go_back_through_all_stages, test_details
pipeline_stages = built(end=lambda results, n, me: results[n - 1 :], check_vma=False)


# %% four_stages
# The number of stages is hard-coded.
# Do: Get it from the mesh: `mesh.shape["stage"]`.
# Breaks: Returns 1
# Fails: test_details
pipeline_stages = built(stages=4)


# %% psum_in_place_of_ppermute
# In each tick, all results are gathered, and each device takes one.
# Do: Send to the next device only, by `ppermute`.
# Breaks: Returns 4
# Fails: test_results_travel_and_no_parameters
pipeline_stages = built(
    send=lambda given, result, n, me: lax.all_gather(result, "stage")[jnp.maximum(me - 1, 0)],
    check_vma=False,
)


# %% parameters_travel
# The parameters travel around the ring, and each device computes all stages of its microbatches.
# Do: Leave the parameters where they are, and send the microbatches on.
# Breaks: Returns 4
# Fails: test_results_travel_and_no_parameters
def pipeline_stages(stage, params, x, mesh):
    n, count = mesh.shape["stage"], len(x)
    ring, each = [(i, (i + 1) % n) for i in range(n)], -(-count // n)

    def part(params, x):
        me, rounds = lax.axis_index("stage"), [params]
        for _ in range(n - 1):
            rounds.append(jax.tree.map(lambda leaf: lax.ppermute(leaf, "stage", ring), rounds[-1]))
        # Piece k came from device me - k.
        whole = jax.tree.map(lambda *p: jnp.roll(jnp.concatenate(p[::-1]), me + 1, axis=0), *rounds)
        wide = jnp.concatenate([x, jnp.broadcast_to(x[-1:], (each * n - count, *x.shape[1:]))])
        own = lax.dynamic_slice_in_dim(wide, me * each, each)
        for k in range(n):
            one = jax.tree.map(lambda leaf, k=k: leaf[k], whole)
            own = jax.vmap(stage, in_axes=(None, 0))(one, own)
        return lax.all_gather(own, "stage", tiled=True)[:count]

    specs = {"in_specs": (P("stage"), P()), "out_specs": P(), "check_vma": False}
    return jax.shard_map(part, mesh=mesh, **specs)(params, x)


# %% once missed


# %% no_reverse
# The ticks are a `while_loop`, which `grad` can't reverse.
# Breaks: Returns 5
# Fails: test_gradients_go_back_through_all_stages
def pipeline_stages(stage, params, x, mesh):
    n = mesh.shape["stage"]

    def part(params, x):
        own = jax.tree.map(lambda leaf: leaf[0], params)
        me = lax.axis_index("stage")

        def tick(state):
            t, arrived, out = state
            result = stage(own, of_first(x, t, arrived, me))
            out = lax.dynamic_update_index_in_dim(out, result, t - (n - 1), 0)
            return t + 1, to_next(None, result, n, me), out

        empty = lax.pcast((jnp.zeros_like(x[0]), jnp.zeros_like(x)), "stage", to="varying")
        out = lax.while_loop(lambda state: state[0] < len(x) - 1 + n, tick, (0, *empty))[2]
        return lax.psum(jnp.where(me == n - 1, out, 0), "stage")

    return jax.shard_map(part, mesh=mesh, in_specs=(P("stage"), P()), out_specs=P())(params, x)


# %% padded_by_itself
# The first n - 1 microbatches are repeated to fill the last ticks, but there may be too few.
# Breaks: Details 1
# Fails: test_details
def pipeline_stages(stage, params, x, mesh):
    n = mesh.shape["stage"]

    def part(params, x):
        own = jax.tree.map(lambda leaf: leaf[0], params)
        me = lax.axis_index("stage")

        def tick(arrived, next_one):
            result = stage(own, jnp.where(me == 0, next_one, arrived))
            return to_next(None, result, n, me), result

        nothing = lax.pcast(jnp.zeros_like(x[0]), "stage", to="varying")
        return of_last(lax.scan(tick, nothing, jnp.concatenate([x, x[: n - 1]]))[1], n, me)

    return jax.shard_map(part, mesh=mesh, in_specs=(P("stage"), P()), out_specs=P())(params, x)
