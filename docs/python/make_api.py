"""Writes api.md, the reference of the Python package, from its docstrings.

    python make_api.py [FILE]
"""

import inspect
import re
import sys
from pathlib import Path

import conelu
from conelu import datasets, plot

CLASSES = (
    conelu.ConvexReLUClassifier,
    conelu.ConvexReLURegressor,
    conelu.Network,
    conelu.Certificate,
    conelu.Certification,
    conelu.Baseline,
    conelu.PriceBound,
    datasets.Data,
)
FUNCTIONS = (conelu.train_baseline, conelu.beta_max, conelu.find_prices, conelu.bound_prices)
MODULES = (datasets, plot)
# What scikit-learn gives every estimator has its place in scikit-learn's own reference.
INHERITED = {"get_params", "set_params", "get_metadata_routing", "set_fit_request", "set_score_request", "from_record"}


def signature(thing):
    text = str(inspect.signature(thing))
    return re.sub(r"^\((self|cls), ", "(", re.sub(r"^\((self|cls)\)", "()", text))


def sections(docstring):
    """Pairs of a heading ('' for the beginning) and its lines."""
    found = [("", [])]
    lines = inspect.cleandoc(docstring).splitlines()
    skip = False
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if skip:
            skip = False
        elif following and set(following) == {"-"}:
            found.append((line, []))
            skip = True
        else:
            found[-1][1].append(line)
    return found


def items(lines):
    """Entries `name : type` with their text, as a list."""
    for line in lines:
        if line and not line.startswith(" "):
            name, _, kind = line.partition(" : ")
            yield f"- **`{name}`**" + (f" : {kind}" if kind else "")
        elif line:
            yield "  " + line.strip()


def describe(docstring):
    """A numpy docstring as Markdown."""
    for heading, lines in sections(docstring):
        text = "\n".join(lines).strip()
        if heading == "Examples":
            yield f"**Examples**\n\n```pycon\n{text}\n```"
        elif heading:
            yield f"**{heading}**\n\n" + "\n".join(items(lines))
        elif text:
            yield text.replace(":math:`", "$").replace("+ c`", "+ c$")


def methods(cls):
    for name, member in inspect.getmembers(cls):
        if name.startswith("_") or name in INHERITED or isinstance(member, property):
            continue
        # predict_proba is there for one loss only, and hides behind a descriptor.
        member = getattr(member, "__wrapped__", member)
        if callable(member) and inspect.getdoc(member):
            yield name, member


def page():
    yield "# API of the Python package"
    yield "Made from the docstrings by `docs/python/make_api.py`; see [the guide](index.md) for what to do with it."
    for cls in CLASSES:
        yield f"## `{cls.__module__.partition('.')[0]}.{cls.__name__}`"
        yield f"```python\n{cls.__name__}{signature(cls)}\n```"
        yield from describe(cls.__doc__)
        for name, method in methods(cls):
            yield f"### `{cls.__name__}.{name}{signature(method)}`"
            yield from describe(inspect.getdoc(method))
    for function in FUNCTIONS:
        yield f"## `conelu.{function.__name__}`"
        yield f"```python\n{function.__name__}{signature(function)}\n```"
        yield from describe(function.__doc__)
    for module in MODULES:
        yield f"## `{module.__name__}`"
        yield from describe(module.__doc__)
        names = getattr(module, "__all__", None) or [
            name for name, thing in vars(module).items() if inspect.isfunction(thing) and thing.__module__ == module.__name__
        ]
        for name in names:
            function = getattr(module, name)
            if not name.startswith("_"):
                yield f"### `{module.__name__}.{name}{signature(function)}`"
                yield from describe(function.__doc__)


def text():
    return "\n\n".join(page()) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).with_name("api.md")).write_text(text())
