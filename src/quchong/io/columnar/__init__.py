"""Tables of typed columns: Parquet and Arrow files, and workbooks."""
