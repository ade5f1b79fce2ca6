"""Texts as LaTeX takes them: nothing that a person or a file wrote is a command."""

import re

_SPECIAL = {
    **{"\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#"},
    **{"%": r"\%", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"},
    **{"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}"},
    **{"`": r"\textasciigrave{}", "'": r"\textquotesingle{}", "[": "{[}", "]": "{]}"},
    **{"–": "--", "—": "---", "−": "$-$", "×": r"$\times$", "±": r"$\pm$", "∞": r"$\infty$"},
    **{"≥": r"$\geq$", "≤": r"$\leq$", "≠": r"$\neq$", "→": r"$\rightarrow$", "…": r"\ldots{}"},
    **{"²": r"\textsuperscript{2}", "³": r"\textsuperscript{3}", "·": r"$\cdot$", "Σ": r"$\Sigma$"},
    **{"“": "``", "”": "''", "‘": "`", "’": "'", "√": r"$\surd$", "⌈": r"$\lceil$"},
    **{"∩": r"$\cap$", "∪": r"$\cup$", "∈": r"$\in$", "⌉": r"$\rceil$", "\u00a0": "~"},
    **{"Φ": r"$\Phi$", "Δ": r"$\Delta$", "Ω": r"$\Omega$", "ε": r"$\varepsilon$"},
}
_GREEK = {
    **{"α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "η": "eta", "θ": "theta"},
    **{"κ": "kappa", "λ": "lambda", "μ": "mu", "π": "pi", "ρ": "rho", "σ": "sigma"},
    **{"τ": "tau", "φ": "varphi", "χ": "chi", "ω": "omega"},
}
_WRITTEN = _SPECIAL | {sign: rf"$\{name}$" for sign, name in _GREEK.items()}
_KNOWN = re.compile(r"[\x20-\x7e\u00c0-\u017e]")
"""What pdfLaTeX prints with the encoding T1."""

_BLANK = re.compile(r"\s+")
_MINUS = re.compile(r"(?<!\w)-(?=\d)")


def escape_latex(text: str) -> str:
    r"""Return a text so that LaTeX prints it as it is, in one line.

    What pdfLaTeX cannot print it writes as its code; XeLaTeX and LuaLaTeX print it.

    Examples
    --------
    >>> escape_latex("κ of a_1 & b: -0.5")
    '$\\kappa$ of a\\_1 \\& b: $-$0.5'
    """
    line = _BLANK.sub(" ", text.encode("utf-8", "replace").decode())
    return "".join(map(_write, _MINUS.sub("−", line)))


def _write(sign: str) -> str:
    if sign in _WRITTEN:
        return _WRITTEN[sign]
    if _KNOWN.fullmatch(sign):
        return sign
    code = f"U+{ord(sign):04X}"
    if not sign.isprintable():
        return code
    return rf"\ifdefined\Umathchar {sign}\else {code}\fi{{}}"
