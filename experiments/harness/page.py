"""What was found, in the README of each experiment and, of all of them, in docs/results.md."""

import re
import textwrap

from experiments.harness.figure import save

BEGIN, END = "<!-- results: written by `make experiments` -->", "<!-- end of results -->"

HEAD = """# Results

Every table and figure of the paper, what its algorithms really do, and what this project adds. `make experiments`
(items 1 to 9, under an hour on two cores) and `make experiments-beyond` (items 10 to 13) write this page from the
README of each folder in [experiments](../experiments), whose numbers they fill in. Spreads are standard deviations over
the runs, or standard errors where a table says so.

The networks have one hidden layer; *certified* is the share of the test rows that no perturbation within the radius
can break, proven by exact verification; PGD is the paper's, 40 steps of a thirtieth of the radius, and *strong* adds
restarts and moves of single features. Seconds are of processor time, one thread.
"""


def fill(text, block):
    """The text with what was found put between its marks."""
    if BEGIN not in text or END not in text:
        raise ValueError(f"expected the lines {BEGIN} and {END}")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    return f"{before}{BEGIN}\n\n{block.strip()}\n\n{END}{after}"


def block_of(item, records, pictures, to_pictures):
    """Draws the figures into a folder; returns tables and figures as Markdown, links by way of `to_pictures`."""
    parts = [item.report(records)]
    for name, (figure, caption) in item.draw(records).items():
        path = pictures / f"{item.name}_{name}.png"
        save(figure, path)
        parts.append(f"![{caption}]({to_pictures}/{path.name})\n\n*{caption}*")
    return "\n\n".join(map(wrapped, "\n\n".join(parts).strip().split("\n\n")))


def wrapped(paragraph):
    """Sentences in lines of the usual length; tables and figures as they are."""
    if paragraph.startswith(("|", "!")):
        return paragraph
    return textwrap.fill(paragraph, 120, break_long_words=False, break_on_hyphens=False)


def section(item, text, to_pictures, to_root):
    """The README as a section of the page: one level down, with links that work from there."""
    text = text.replace(BEGIN, "").replace(END, "")
    text = re.sub(r"^#", "##", text, flags=re.MULTILINE)
    text = re.sub(r"\]\((?:\.\./)*docs/results/", f"]({to_pictures}/", text)
    text = re.sub(r"\]\(\.\./\.\./(?!docs/results/)", f"]({to_root}/", text)
    text = re.sub(r"\n{3,}", "\n\n", text.strip())
    heading, _, rest = text.partition("\n")
    folder = f"{to_root}/experiments/{item.name}"
    heading = heading.replace("## ", f"## {item.number}. ", 1)
    return f"{heading}\n{rest}\n\nFrom [experiments/{item.name}]({folder}).\n"


def page(items, texts, to_pictures="results", to_root=".."):
    """The whole page from the texts of all READMEs."""
    return "\n".join([HEAD, *(section(item, texts[item.name], to_pictures, to_root) for item in items)])
