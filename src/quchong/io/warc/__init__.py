"""WARC files: their records, the pages in them, and copies byte for byte."""
