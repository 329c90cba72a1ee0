#!/usr/bin/env python3
"""Draws patterns.svg: three points in the plane and the cones of their activation patterns.

Run it in this folder; it needs the standard library only.
"""

import math
from pathlib import Path

POINTS = [(1.0, 0.2), (0.55, 0.95), (-0.75, 0.75)]
FILLS = ["#dbe9f6", "#f6ead8", "#e2f0dc", "#f3dfe6", "#e6e2f3", "#e9e9e4"]
INK = "#24292f"
SIZE, UNIT, RADIUS = 460, 150, 200


def place(angle, length):
    """Page coordinates of a point given by angle and length; the page's y axis points down."""
    return SIZE / 2 + length * math.cos(angle), SIZE / 2 - length * math.sin(angle)


def walls():
    """Angles of the rays on which some x_k'u changes sign, in order."""
    return sorted((math.atan2(y, x) + turn) % math.tau for x, y in POINTS for turn in (math.pi / 2, -math.pi / 2))


def pattern(angle):
    u = math.cos(angle), math.sin(angle)
    return "".join(str(int(x * u[0] + y * u[1] >= 0)) for x, y in POINTS)


def text(at, content, size=15, weight="normal"):
    return (f'<text x="{at[0]:.1f}" y="{at[1] + size / 3:.1f}" font-size="{size}" font-weight="{weight}" '
            f'text-anchor="middle" fill="{INK}">{content}</text>')


def cone(start, end, fill):
    (x0, y0), (x1, y1) = place(start, RADIUS), place(end, RADIUS)
    middle = (start + end) / 2
    return [f'<path d="M {SIZE / 2} {SIZE / 2} L {x0:.1f} {y0:.1f} A {RADIUS} {RADIUS} 0 0 0 {x1:.1f} {y1:.1f} Z" fill="{fill}"/>',
            text(place(middle, 0.8 * RADIUS), pattern(middle), weight="bold")]


def wall(k):
    """The line x_k'u = 0, with its name at one end."""
    angle = math.atan2(POINTS[k][1], POINTS[k][0]) - math.pi / 2
    (x0, y0), (x1, y1) = place(angle, RADIUS), place(angle + math.pi, RADIUS)
    return [f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="{INK}" stroke-width="1.5"/>',
            text(place(angle, RADIUS + 18), f"⊥ x{'₁₂₃'[k]}", size=13)]


def point(k):
    x, y = POINTS[k]
    angle, length = math.atan2(y, x), UNIT * 0.62 * math.hypot(x, y)
    (x1, y1) = place(angle, length)
    return [f'<line x1="{SIZE / 2}" y1="{SIZE / 2}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="#b3362d" stroke-dasharray="3 4"/>',
            f'<circle cx="{x1:.1f}" cy="{y1:.1f}" r="5" fill="#b3362d"/>',
            text(place(angle, length + 17), f"x{'₁₂₃'[k]}")]


def main():
    angles = walls()
    rows = [f'<rect width="{SIZE}" height="{SIZE}" fill="white"/>']
    for i, start in enumerate(angles):
        end = angles[i + 1] if i + 1 < len(angles) else angles[0] + math.tau
        rows += cone(start, end, FILLS[i])
    for k in range(len(POINTS)):
        rows += wall(k) + point(k)
    rows.append(f'<circle cx="{SIZE / 2}" cy="{SIZE / 2}" r="3" fill="{INK}"/>')
    Path(__file__).with_name("patterns.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" width="{SIZE}" height="{SIZE}" '
        'font-family="Helvetica, Arial, sans-serif">\n' + "\n".join(rows) + "\n</svg>\n", encoding="utf-8")


if __name__ == "__main__":
    main()
