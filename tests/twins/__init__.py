"""What each kernel computes, in plain Python: the specification the property tests and fuzzers hold the kernels to.

One module a family, under the names of `quchong.kernels`.
"""
