"""Files as bytes: opened, packed, digested, written behind; notes on documents that are no rows."""
