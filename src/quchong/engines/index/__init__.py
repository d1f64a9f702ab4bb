"""Engine for documents that arrive one at a time: the joins of a method answered from a folder that lasts."""
