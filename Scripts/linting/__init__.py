"""The checks of Scripts/lint, a subject each. A check takes the project and gives (path, line, what)
of each failure.
"""
