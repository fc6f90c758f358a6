"""Cuts web/src/ui/fonts/bricolage-display.woff2 out of the variable family: one weight, the largest optical size, and
the letters that Portuguese needs (14 kB instead of 131). Run these commands again only when the letters change:

    npm pack @fontsource-variable/bricolage-grotesque@5.3.0 && tar xf fontsource-variable-bricolage-grotesque-5.3.0.tgz
    pip install fonttools brotli
    python scripts/build-web/display-face.py package/files/bricolage-grotesque-latin-standard-normal.woff2
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

LETTERS = (
    "".join(map(chr, range(0x20, 0x7F)))
    + "ÀÁÂÃÇÉÊÍÓÔÕÚÜàáâãçéêíóôõúüºª–—…“”‘’·×→"
)
RESULT = Path(__file__).parents[2] / "web/src/ui/fonts/bricolage-display.woff2"

font = instantiateVariableFont(TTFont(sys.argv[1]), {"wght": 700, "opsz": 96, "wdth": 100})
options = subset.Options(
    layout_features=["kern", "liga", "mark", "mkmk", "ccmp", "locl", "tnum", "calt"],
    name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14],
    notdef_outline=True,
    hinting=False,
)
subsetter = subset.Subsetter(options)
subsetter.populate(text=LETTERS)
subsetter.subset(font)
font.flavor = "woff2"
font.save(RESULT)
