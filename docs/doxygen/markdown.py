#!/usr/bin/env python3
"""A Markdown file as GitHub shows it, rewritten for Doxygen on stdout: formulas, headings with GitHub's anchors, links.

    docs/doxygen/markdown.py FILE      Doxygen calls it for every page (FILTER_PATTERNS)
"""

import os
import re
import sys

PAGES = ("README.md", "CONTRIBUTING.md", "docs/tutorial.md", "docs/cli.md", "docs/method.md")


def anchor(page, slug):
    """Doxygen's anchors are names in one large space; the page keeps them apart."""
    return f"{os.path.splitext(os.path.basename(page))[0].lower()}-{slug}"


def github_slug(heading):
    words = re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower())
    return words.strip().replace(" ", "-")


def rewrite_link(page, match):
    """Pages and anchors are there in the reference; other files of the tree are not, so only their names stay."""
    text, target = match.groups()
    if re.match(r"https?://", target):
        return match.group(0)
    path, _, slug = target.partition("#")
    path = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    if path not in PAGES:
        return text
    return f"[{text}](@ref {anchor(path, slug or 'top')})"


def rewrite_text(page, line):
    line = re.sub(r"(?<!!)\[([^\]]+)\]\(([^)]+)\)", lambda match: rewrite_link(page, match), line)
    # Code is left alone; between the pieces of code $...$ is a formula.
    pieces = re.split(r"(`[^`]*`)", line)
    pieces[::2] = [re.sub(r"\$([^$]+)\$", r"\\f$\1\\f$", piece) for piece in pieces[::2]]
    return "".join(pieces)


def rewrite(page, lines):
    fence = None  # how the open block of code or formulas closes
    first_heading = True
    for line in lines:
        line = line.rstrip("\n")
        if fence is not None:
            yield fence if line.startswith("```") else line
            fence = None if line.startswith("```") else fence
        elif line.startswith("```math"):
            yield r"\f["
            fence = r"\f]"
        elif line.startswith("```"):
            yield line
            fence = "```"
        elif match := re.match(r"(#+) (.*)", line):
            slug = "top" if first_heading else github_slug(match.group(2))
            first_heading = False
            yield f"{match.group(1)} {rewrite_text(page, match.group(2))} {{#{anchor(page, slug)}}}"
        else:
            yield rewrite_text(page, line)


if __name__ == "__main__":
    tree = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    with open(sys.argv[1], encoding="utf-8") as markdown:
        print("\n".join(rewrite(os.path.relpath(sys.argv[1], tree), markdown)))
