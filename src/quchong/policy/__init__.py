"""Decision which documents are kept, from verified pairs and a keep policy.

``policy`` reads "longest,earliest" and ranks documents by it, ``times`` reads the times it may need, ``survivors``
turns typed pairs into arcs and decides. Import from these modules.
"""
