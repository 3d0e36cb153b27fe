"""What is known of LaTeX's commands: which say something, which only set, and which letters they stand for."""

import unicodedata
from types import MappingProxyType
from typing import Final

SECTIONS: Final = MappingProxyType({"section": 0, "subsection": 1, "subsubsection": 2})
PARAGRAPHS: Final = frozenset({"paragraph", "subparagraph"})
FLOATS: Final = MappingProxyType(
    {
        "figure": "Figure",
        "wrapfigure": "Figure",
        "SCfigure": "Figure",
        "table": "Table",
        "wraptable": "Table",
        "sidewaystable": "Table",
        "sidewaysfigure": "Figure",
        "longtable": "Table",
        "algorithm": "Algorithm",
        "algorithm2e": "Algorithm",
    }
)
WITHIN_FLOATS: Final = frozenset({"subfigure", "subtable", "subfloat", "minipage"})
THEOREMS: Final = frozenset(
    {"theorem", "lemma", "corollary", "proposition", "definition", "assumption", "remark", "example", "conjecture"}
)
FORMULAS: Final = frozenset(
    {"equation", "align", "gather", "multline", "eqnarray", "alignat", "flalign", "displaymath"}
)
ROWS: Final = frozenset({"align", "gather", "eqnarray", "alignat", "flalign"})
WORD_FOR_WORD: Final = frozenset({"verbatim", "lstlisting", "minted", "Verbatim"})
CITES: Final = frozenset(
    {"cite", "citep", "citet", "citealp", "citealt", "citeauthor", "citeyear", "citeyearpar", "parencite", "textcite"}
    | {"autocite", "Citet", "Citep", "footcite", "citenum"}
)
REFERENCES: Final = frozenset({"ref", "eqref", "autoref", "cref", "Cref", "vref", "nameref", "subref"})
_TWICE_SILENT: Final = """
    newcommand renewcommand providecommand DeclareMathOperator setlength addtolength setcounter addtocounter newtheorem
    DeclareRobustCommand multicolumn multirow resizebox
"""
TWICE_SILENT: Final = frozenset(_TWICE_SILENT.split())
_ONCE_SILENT: Final = """
    usepackage documentclass bibliographystyle includegraphics vspace hspace pagestyle thispagestyle hypersetup
    graphicspath color textcolor nocite thanks inst email affil affiliation institute address date pageref phantom
    vphantom hphantom fontsize href captionsetup rowcolor cellcolor cmidrule cline addbibresource RequirePackage
    PassOptionsToPackage parbox raisebox scalebox titlerunning authorrunning orcidID ORCID
"""
ONCE_SILENT: Final = frozenset(_ONCE_SILENT.split())
# How many arguments go with a command that only sets, defines or places.
SILENT: Final = MappingProxyType(
    {
        **dict.fromkeys(TWICE_SILENT, 2),
        **dict.fromkeys(("newenvironment", "renewenvironment", "definecolor"), 3),
        **dict.fromkeys(ONCE_SILENT, 1),
    }
)
_LAYOUT: Final = """
    centering noindent small footnotesize scriptsize tiny normalsize large Large LARGE huge Huge bf it em tt rm sc sf sl
    bfseries itshape ttfamily rmfamily scshape sffamily mdseries upshape normalfont maketitle clearpage newpage hline
    toprule midrule bottomrule quad qquad hfill vfill par smallskip medskip bigskip indent raggedright raggedleft
    appendix bgroup egroup begingroup endgroup protect left right relax newline linebreak pagebreak nobreak allowbreak
    tableofcontents listoffigures listoftables balance onecolumn twocolumn flushbottom raggedbottom sloppy frontmatter
    mainmatter backmatter makeatletter makeatother unskip ignorespaces leavevmode null strut xspace and footnotemark
    today hskip vskip hss vss textwidth linewidth columnwidth baselineskip doublespacing singlespacing newblock label
"""
LAYOUT: Final = frozenset(_LAYOUT.split())
LETTERS: Final = MappingProxyType(
    {
        "ss": "ß",
        "o": "ø",
        "O": "Ø",
        "ae": "æ",
        "AE": "Æ",
        "aa": "å",
        "AA": "Å",
        "l": "ł",
        "L": "Ł",
        "i": "i",
        "j": "j",
        "ldots": "…",
        "dots": "…",
        "textellipsis": "…",
        "textendash": "\u2013",
        "textemdash": "—",
        "S": "§",
        "P": "¶",
        "copyright": "©",
        "textasciitilde": "~",
        "textbackslash": "\\",
        "textbar": "|",
        "textless": "<",
        "textgreater": ">",
        "textdegree": "°",
        "pounds": "£",
        "dag": "†",
        "ddag": "‡",
    }
)
ACCENTS: Final = MappingProxyType(
    {
        "'": "\u0301",
        "`": "\u0300",
        '"': "\u0308",
        "^": "\u0302",
        "~": "\u0303",
        "=": "\u0304",
        ".": "\u0307",
        "c": "\u0327",
        "v": "\u030c",
        "u": "\u0306",
        "H": "\u030b",
        "k": "\u0328",
        "r": "\u030a",
    }
)


def accented(accent: str, letter: str) -> str:
    """Return a letter with LaTeX's accent.

    >>> accented('"', "o"), accented("c", "c")
    ('ö', 'ç')
    """
    return unicodedata.normalize("NFC", letter[:1] + ACCENTS[accent]) + letter[1:]
