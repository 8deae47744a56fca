"""Doctor: says in words what may stop an evening on this installation, and what to do.

A *check* looks at one thing and returns a finding. Nothing here imports models, so that it also works with settings that Django
refuses.
"""
