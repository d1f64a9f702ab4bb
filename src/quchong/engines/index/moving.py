"""Documents of one index added to another one, in the order of their arrival: from a folder to a database, or back."""

from __future__ import annotations

from quchong.engines.index.contents import Contents
from quchong.engines.index.documents import check_texts_kept


def move_documents(old: Contents, made: Contents) -> None:
    """Add all documents of an index to an empty one with the same settings and frozen values, with the moments of their arrival.

    Deleted documents are left out, so that numbers are others; documents that came without an id keep the one that they got.

    Args:
        old: the index, which keeps texts; it may be written meanwhile. made: the empty one.

    Raises:
        UsageError: the index keeps no texts.

    Cost: that of adding all documents.
    """
    check_texts_kept(old.settings.store)
    with old.catalogue.snapshot():
        noted = old.catalogue.note("counted")
        before = old.catalogue.count(
            "SELECT count(*) FROM documents WHERE number < ? AND id IS NOT NULL", int(noted or 0)
        )
        for rows in old.catalogue.all_documents():
            made.add_again(rows)
        earlier = int(old.catalogue.note("earlier arrivals") or 0) + old.arrived() - made.arrived()
    with made.lock, made.catalogue.transaction() as writer:  # documents without an id are numbered on from here
        writer.execute("INSERT INTO notes VALUES ('earlier arrivals', ?)", (str(earlier),))
        if noted is not None:  # else nothing was counted on a corpus, and there is no drift from it
            writer.execute("INSERT INTO notes VALUES ('counted', ?)", (str(before),))
