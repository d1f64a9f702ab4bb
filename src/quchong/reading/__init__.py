"""Reading of sources as documents; web pages are converted to texts."""
