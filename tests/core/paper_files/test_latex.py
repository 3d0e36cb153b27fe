"""LaTeX source: read as text, with LaTeX's own numbers, and never run."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from agents_eval_core.errors import PaperError
from agents_eval_core.paper_files.own_paper import own_paper

Write = Callable[..., Path]
MAIN = r"""
% nothing of this: \section{Hidden}
\documentclass{article}
\newcommand{\method}{FooNet}
\def\pair#1#2{(#1, #2)}
\title{On the {Flow} of \\ \textbf{Rivers}\thanks{Grant 12}}
\author{Ada Lovelace \\ University of Nowhere \And Charles Babbage}
\begin{document}
\maketitle
\begin{abstract}
We measure 50\% of rivers, \emph{really}.
\end{abstract}
\section{Introduction}\label{sec:intro}
Rivers flow~\citep{kang2018, foo2019}; see Table~\ref{tab:main}, \autoref{fig:a} and Eq.~\eqref{eq:one}.
\method{} is ``good''\footnote{Very \textit{good}.} for M\"uller and na\"{\i}ve \c{c}ases, says Section~\ref{sec:intro}.
\input{parts/method}
\iffalse
SWITCHED OFF
\fi
\appendix
\section{Proofs}
All of them, and \ref{nothing}.
\bibliography{refs}
\end{document}
AFTER THE END
"""
METHOD = r"""
\section{Method}
\subsection{Setup}
\begin{equation}\label{eq:one}
y = \frac{1}{2}
\end{equation}
\begin{table}
\caption[short]{Main \textbf{results}.\label{tab:main}}
\begin{tabular}{l|c}
\toprule
Model & Accuracy \\
Ours & 90.1 \\
\end{tabular}
\end{table}
\begin{figure}
\includegraphics[width=\textwidth]{a.png}
\caption{A river.}\label{fig:a}
\end{figure}
"""
LIST = r"\begin{thebibliography}{9}\bibitem[Kang(2018)]{kang2018} D. Kang. \newblock A dataset.\end{thebibliography}"


@pytest.fixture
def paper_of(write: Write) -> Callable[[str], str]:
    """Return the text of a paper whose body is a piece of LaTeX."""

    def read(body: str) -> str:
        paper = own_paper(write("body.tex", "\\begin{document}\\section{S} Word. " + body + "\\end{document}")).paper
        assert paper is not None
        return paper.text

    return read


def test_a_paper_of_several_files_is_read_as_it_is_printed(write: Write) -> None:
    write("parts/method.tex", METHOD)
    write("main.bbl", LIST)
    paper = own_paper(write("main.tex", MAIN)).paper
    assert paper is not None
    assert (paper.text_source, paper.notes) == ("latex", ())
    assert paper.title == "On the Flow of Rivers"
    assert paper.authors == ("Ada Lovelace", "Charles Babbage")
    assert paper.abstract == "We measure 50% of rivers, really."
    assert [part.heading for part in paper.sections] == [
        "1 Introduction",
        "2 Method",
        "2.1 Setup",
        "A Proofs",
        "References",
    ]
    introduction, _, setup, proofs, references = (part.text for part in paper.sections)
    assert introduction == (
        "Rivers flow [kang2018, foo2019]; see Table 1, Figure 1 and Eq. (1). "
        "method is “good” (Very good.) for Müller and naïve çases, says Section 1."
    )
    assert r"$$y = \frac{1}{2}$$ (1)" in setup
    assert "Table 1: Main results." in setup
    assert "Ours | 90.1" in setup
    assert "Figure 1: A river." in setup
    assert proofs == "All of them, and [nothing]."
    assert references == "[kang2018] D. Kang. A dataset."
    assert not any(word in paper.text for word in ("Hidden", "SWITCHED", "AFTER", "FooNet", "pair", "toprule"))


@pytest.mark.parametrize(
    "name", ["../secret", "/etc/hostname", "link", "folder/../../secret", "pipe", "missing", "~/secret"]
)
def test_nothing_outside_of_the_folder_is_taken_in(name: str, write: Write, tmp_path: Path) -> None:
    import os

    write("secret.tex", "SECRET")
    path = write("paper/main.tex", "\\section{A} Some text. \\input{" + name + "} More.")
    (tmp_path / "paper" / "link.tex").symlink_to(tmp_path / "secret.tex")
    os.mkfifo(tmp_path / "paper" / "pipe.tex")
    paper = own_paper(path).paper
    assert paper is not None
    assert "SECRET" not in paper.text
    assert any(name in note and "not" in note for note in paper.notes)


def test_files_that_take_in_one_another_end(write: Write) -> None:
    write("b.tex", r"B \input{a} \input{b} \input{b}")
    paper = own_paper(write("a.tex", r"\section{A} text \input{b} \input{b} \input{b}")).paper
    assert paper is not None
    assert len(paper.text) < 2000


def test_macros_are_not_run(paper_of: Callable[[str], str]) -> None:
    assert "x" * 20 not in paper_of(r"\def\a{xxxxxxxxxx}\def\b{\a\a\a\a}\def\c{\b\b\b\b} \c \c \c")
    assert "root" not in paper_of(r"\immediate\write18{id} \input|id \openin5=/etc/passwd \read5 to \x \x")


def test_formulas_stay_as_they_are_typed(paper_of: Callable[[str], str]) -> None:
    text = paper_of(r"$a_{i} \le b$ and \[ c = d \] and \(e\) cost \$5 and")
    assert r"$a_{i} \le b$ and \[ c = d \] and \(e\) cost $5" in text


def test_rows_of_formulas_are_numbered_as_latex_does(paper_of: Callable[[str], str]) -> None:
    text = paper_of(r"\begin{align} a &= b \label{x} \\ c &= d \nonumber \\ e &= f \label{y} \end{align} (\ref{y})")
    assert "$$a &= b$$ (1)\n$$c &= d$$\n$$e &= f$$ (2)" in text
    assert text.endswith("(2)")


@pytest.mark.parametrize(
    "body",
    [
        "\\section{" * 60_000,
        "{" * 400_000,
        "\\footnote{" * 20_000 + "a" + "}" * 20_000,
        "$" * 300_001,
        "\\[" * 200_000,
        "\\begin{equation}" * 30_000,
        "\\begin{verbatim}" * 30_000,
        "\\begin{figure}" * 60_000,
        "\\caption[" * 60_000,
        "\\def" * 100_000,
        "\\input " * 60_000,
        "\\label{a}\\ref{a}" * 30_000,
        "\\\\" * 200_000 + "%",
        "\\iffalse" * 60_000,
        "\n " * 300_000,
    ],
)
def test_hostile_sources_end_soon(body: str, write: Write) -> None:
    import time

    path = write("main.tex", "\\begin{document}Some words. " + body)
    before = time.process_time()
    with suppress(PaperError):
        own_paper(path)
    assert time.process_time() - before < 5


def test_a_source_without_words_is_refused(write: Write) -> None:
    with pytest.raises(PaperError, match="no text between its LaTeX commands"):
        own_paper(write("main.tex", r"\documentclass{article}\begin{document}\maketitle\end{document}"))
