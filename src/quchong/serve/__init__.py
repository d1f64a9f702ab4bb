"""Service in front of an index: documents added and asked about over HTTP.

It stands on `quchong.Index` and knows no method. `server.py` opens it, `service.py` has what it does, `endpoints.py` the addresses.
"""
