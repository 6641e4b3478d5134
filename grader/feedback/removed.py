"""What JAX has had and has no more -> today's call, and the page that explains it."""

from __future__ import annotations

_TREE = "_autosummary/jax.tree.{name}.html"
_AT = "_autosummary/jax.numpy.ndarray.at.html"
_CHANGES = "changelog.html"

# By full name: (today's call, page).
REMOVED: dict[str, tuple[str, str]] = {
    **{
        f"jax.tree_{name}": (f"`jax.tree.{name}`", _TREE.format(name=name))
        for name in ("map", "leaves", "flatten", "unflatten", "structure", "transpose", "reduce")
    },
    **{
        f"jax.core.{name}": (f"`jax.extend.core.{name}`", "jax.extend.core.html")
        for name in "Jaxpr ClosedJaxpr JaxprEqn Literal Primitive Var Token jaxpr_as_fun".split()
    },
    "jax.tree_all": ("`jax.tree.all`", _TREE.format(name="all")),
    "jax.tree_multimap": ("`jax.tree.map`", _TREE.format(name="map")),
    "jax.tree_util.tree_multimap": ("`jax.tree.map`", _TREE.format(name="map")),
    "jax.tree.multimap": ("`jax.tree.map`", _TREE.format(name="map")),
    "jax.numpy.DeviceArray": ("`jax.Array`", "jax_array_migration.html"),
    "jax.DeviceArray": ("`jax.Array`", "jax_array_migration.html"),
    "jax.interpreters.xla.DeviceArray": ("`jax.Array`", "jax_array_migration.html"),
    "jax.xla.DeviceArray": ("`jax.Array`", "jax_array_migration.html"),
    "jax.config.config": (
        "`jax.config` itself: `import jax`, then `jax.config.update(...)`",
        "config_options.html",
    ),
    "jax.ops.index_update": ("`x.at[i].set(v)`", _AT),
    "jax.ops.index_add": ("`x.at[i].add(v)`", _AT),
    "jax.ops.index_mul": ("`x.at[i].multiply(v)`", _AT),
    "jax.ops.index_min": ("`x.at[i].min(v)`", _AT),
    "jax.ops.index_max": ("`x.at[i].max(v)`", _AT),
    "jax.ops.index": ("`x.at[i]`", _AT),
    "jax.experimental.optimizers": (
        "the package `optax`",
        "https://optax.readthedocs.io/en/latest/getting_started.html",
    ),
    "jax.experimental.stax": (
        "the package `flax`",
        "https://flax.readthedocs.io/en/latest/nnx_basics.html",
    ),
    "jax.experimental.host_callback": (
        "`jax.pure_callback` or `jax.experimental.io_callback`",
        "external-callbacks.html",
    ),
    "jax.experimental.loops": ("`jax.lax.fori_loop` or `jax.lax.scan`", "control-flow.html"),
    "jax.experimental.maps": ("`jax.shard_map`", "notebooks/shard_map.html"),
    "jax.experimental.export": ("`jax.export`", "export/export.html"),
    "jax.experimental.enable_x64": ("`jax.enable_x64`", "default_dtypes.html"),
    "jax.abstract_arrays": ("`jax.core.ShapedArray`", _CHANGES),
    "jax.linear_util": ("`jax.extend.linear_util`", _CHANGES),
    "jax.lib.xla_bridge": ("`jax.extend.backend`", _CHANGES),
    "jax.random.shuffle": ("`jax.random.permutation`", "_autosummary/jax.random.permutation.html"),
    "jax.random.KeyArray": ("`jax.Array`", "jep/9263-typed-keys.html"),
    "jax.random.PRNGKeyArray": ("`jax.Array`", "jep/9263-typed-keys.html"),
    "jax.xla_computation": ("`jax.jit(f).lower(...)`", "aot.html"),
    "jax.core.Shape": ("a plain `tuple[int, ...]`", _CHANGES),
    "jax.clear_backends": ("`jax.clear_caches`", "_autosummary/jax.clear_caches.html"),
    "jax.device_put_replicated": ("`jax.device_put` with a sharding", "migrate_pmap.html"),
    "jax.device_put_sharded": ("`jax.device_put` with a sharding", "migrate_pmap.html"),
    "jax.soft_pmap": ("`jax.vmap` or `jax.shard_map`", "migrate_pmap.html"),
    "jax.lax.tie_in": ("nothing at all: drop the call", _CHANGES),
    "jax.numpy.row_stack": ("`jnp.vstack`", "_autosummary/jax.numpy.vstack.html"),
    "jax.numpy.in1d": ("`jnp.isin`", "_autosummary/jax.numpy.isin.html"),
    "jax.numpy.trapz": ("`jnp.trapezoid`", "_autosummary/jax.numpy.trapezoid.html"),
    "jax.numpy.msort": ("`jnp.sort(x, axis=0)`", "_autosummary/jax.numpy.sort.html"),
    "jax.numpy.product": ("`jnp.prod`", "_autosummary/jax.numpy.prod.html"),
    "jax.numpy.cumproduct": ("`jnp.cumprod`", "_autosummary/jax.numpy.cumprod.html"),
    "jax.numpy.alltrue": ("`jnp.all`", "_autosummary/jax.numpy.all.html"),
    "jax.numpy.sometrue": ("`jnp.any`", "_autosummary/jax.numpy.any.html"),
    "jax.numpy.issubsctype": ("`jnp.issubdtype`", "_autosummary/jax.numpy.issubdtype.html"),
    "jax.numpy.float": ("`float` or `jnp.float32`", "default_dtypes.html"),
    "jax.numpy.int": ("`int` or `jnp.int32`", "default_dtypes.html"),
    "jax.nn.normalize": ("`jax.nn.standardize`", "_autosummary/jax.nn.standardize.html"),
    "jax.partial": ("`functools.partial`", "_autosummary/jax.jit.html"),
}

# Methods that arrays have had.
METHODS: dict[str, tuple[str, str]] = {
    "to_py": ("`np.asarray(x)`", "jax_array_migration.html"),
    "device_buffer": ("`x.addressable_data(0)`", "jax_array_migration.html"),
    "device_buffers": ("`x.addressable_shards`", "jax_array_migration.html"),
    "broadcast": ("`jnp.broadcast_to`", "_autosummary/jax.numpy.broadcast_to.html"),
    "sharding_spec": ("`x.sharding`", "jax_array_migration.html"),
}
