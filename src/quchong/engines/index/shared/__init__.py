"""Index in a database that several processes share: the tables of PostgreSQL behind the seams of `quchong.engines.index`."""
