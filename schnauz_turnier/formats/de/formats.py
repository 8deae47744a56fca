"""A day without its year, in figures as wide as those beside it."""

MONTH_DAY_FORMAT = "d.m."
