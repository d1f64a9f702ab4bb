"""Files as bytes: opening, compression, digests, writing on a second thread; notes on documents that are not rows of a table."""
