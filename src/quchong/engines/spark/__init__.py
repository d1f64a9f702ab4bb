"""The Spark engine: gives the answers of the local engine on a cluster."""
