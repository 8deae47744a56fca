"""Doctor: tells in words what is wrong with this installation and what to do.

*Facts* are read off the machine (`observed_*.py`). A *check* is a pure function from facts to a finding (`machine.py`,
`network.py`, `power.py`, `storage.py`). Nothing here imports models, so that it also works with settings that Django refuses.
"""
