"""Pictures of an evening: figures in, shapes out. Pure functions; templates draw the shapes as SVG.

Widths are shares of the picture in per cent and heights are multiples of the text size, so that a picture fills the width
that it gets while its text keeps the size of the text around it. Nothing here knows names.
"""
