"""Reads the explanations of errors out of Swift source, for Scripts/error-catalogue."""
