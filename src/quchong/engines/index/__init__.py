"""The index engine: documents that arrive one at a time, in a folder that lasts."""
