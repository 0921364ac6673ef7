"""Type stubs of what the package makes at import, written when it is built (``setup.py``) and kept out of git.

A hand-written module is annotated where it stands, and has no stub: a type checker would read the stub in its place.
The address of a module that stands in a room has no file, but a stub that hands on the module's names.
Reading order: ``written`` (what a file's text binds), ``places`` (the public modules and where a name is written),
``signatures`` (the text of a function or class), ``stub`` (the text of a module's stub), ``__main__`` (the files).
"""
