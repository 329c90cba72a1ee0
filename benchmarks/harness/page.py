"""docs/benchmarks.md from the records."""

import numpy as np

from benchmarks.harness.machine import machine
from experiments.harness.figure import save
from experiments.harness.page import wrapped

HEAD = """# Benchmarks

Every number on this page was written by `make bench-peers` from the records of its runs. Each contender answers each
question in a process of its own with one thread; seconds are of processor time. A contender that needs more than
{limit:g} s, or than a smaller limit that it was given, is stopped and shown as ">" with that limit. Answers are
compared before times are looked at: every point of a convex program is repaired and judged by our certificate, every
network that was trained is evaluated by our tool, its worst case bounded, what others compute is compared with ours,
and disagreements are printed at the end of this page.

Machine: {machine}. One product of two 2000 x 2000 matrices (`dgemm2000`) takes {unit:.3f} s of one core here, measured
next to every run. Of convex programs ours is the median of five runs where one takes less than five seconds, a peer's
is a single run. Ratios are of times in that unit: a peer's record is kept (in `benchmarks/records`, with the answer)
and may be older than ours.
"""


def page(tasks, results, limit, pictures, to_pictures):
    """The whole page; figures go to the folder `pictures`."""
    units = [
        record["dgemm2000"]
        for answers in results.values()
        for _, records in answers
        for record in records.values()
        if "dgemm2000" in record
    ]
    asked = [record["status"] for answers in results.values() for _, records in answers for record in records.values()]
    left = asked.count("not run")
    parts = [HEAD.format(limit=limit, machine=machine(), unit=np.median(units or [np.nan]))]
    if left:
        parts.append(
            f"{left} of the {len(asked)} runs of the tasks below are still to be made: who is not shown was not asked."
        )
    for task in tasks:
        parts += [f"## {task.TITLE}", task.INTRO.strip(), task.report(results[task.name])]
        for name, (figure, caption) in task.draw(results[task.name]).items():
            path = pictures / f"{task.name}_{name}.png"
            save(figure, path)
            parts.append(f"![{caption}]({to_pictures}/{path.name})\n\n*{caption}*")
    parts += ["## Contenders", contenders(tasks, results), "## Disagreements", disagreements(tasks, results)]
    paragraphs = "\n\n".join(part.strip() for part in parts).strip().split("\n\n")
    return "\n\n".join(text if text.startswith(("#", "-")) else wrapped(text) for text in paragraphs) + "\n"


def contenders(tasks, results):
    """Their packages, and those that could not be had."""
    versions, absent = {}, {}
    for task in tasks:
        for contender in task.contenders:
            versions |= contender.packages
            for _, records in results[task.name]:
                if records.get(contender.name, {}).get("status") == "not installed":
                    absent[contender.name] = records[contender.name]["why"]
    text = (
        "Pinned in `benchmarks/requirements.txt`: "
        + ", ".join(f"{name} {pin}" for name, pin in sorted(versions.items()))
        + "."
    )
    return text + "".join(f"\n\n- {name} could not be installed: {why}" for name, why in sorted(absent.items()))


def disagreements(tasks, results):
    found = [
        text for task in tasks for problem, records in results[task.name] for text in task.compare(problem, records)
    ]
    return "\n".join(f"- {text}" for text in found) or "None."
