"""Base classes and parts that methods of one family share."""
