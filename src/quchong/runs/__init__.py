"""The run folder: what lies in it, how it is read and checked, and rows put back."""
