"""Where do documents agree, and what is left of them without that?"""
