"""Fast kernels in families: flat buffers in, flat buffers out.

Each family calls the compiled module with its arguments checked (`checked`): `kernels.join.join_keys`. The same families,
under the same names, are folders of cpp/ and modules of tests/twins, which say in plain Python what each kernel computes.
All kernels release the GIL and give the same result for any number of threads.
"""

try:
    import _quchong  # noqa: F401
except ImportError as error:  # pragma: no cover - only without a build
    raise ImportError(
        "quchong's native core is missing: reinstall with `pip install .` (needs a C++20 compiler and CMake)"
    ) from error

from quchong.kernels import (
    align,
    arrays,
    checked,
    composing,
    differences,
    elements,
    features,
    filters,
    graph,
    hashing,
    join,
    machine,
    page,
    pairs,
    postings,
    posts,
    records,
    runs,
    segments,
    sets,
    sketch,
    text,
    tree,
)

__all__ = [
    "align",
    "arrays",
    "checked",
    "composing",
    "differences",
    "elements",
    "features",
    "filters",
    "graph",
    "hashing",
    "join",
    "machine",
    "page",
    "pairs",
    "postings",
    "posts",
    "records",
    "runs",
    "segments",
    "sets",
    "sketch",
    "text",
    "tree",
]
