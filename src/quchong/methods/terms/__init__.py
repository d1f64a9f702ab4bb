"""Methods that compare the words of documents, and how often each stands there."""
