"""Doctor: finds problems of this installation that may stop an evening, with remedies.

A *check* examines one thing and returns a finding. Nothing here imports models, so that it works with settings that Django
refuses.
"""
