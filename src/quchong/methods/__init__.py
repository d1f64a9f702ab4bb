"""The methods: one file for each paper or family. No method imports another."""
