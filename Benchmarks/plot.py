"""Curves over a number of documents, both axes logarithmic, as SVG: what costs the same whatever there is lies flat, and what grows with it
runs along the dashed lines."""

import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 860, 520
LEFT, RIGHT, TOP, BOTTOM = 80, 270, 50, 60
COLOURS = ["#1b6ca8", "#c0392b", "#27833a", "#8e44ad", "#b9770e", "#16807a", "#7f5539", "#444444"]


def chart(title, curves, unit="milliseconds"):
    """`curves` has a list of (documents, value) under each name."""
    points = [point for curve in curves.values() for point in curve if point[1] > 0]
    (left, right), (low, high) = decades(x for x, _ in points), decades(y for _, y in points)
    wide, tall = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def across(count):
        return LEFT + (math.log10(count) - left) / (right - left) * wide

    def up(value):
        return TOP + tall - (math.log10(value) - low) / (high - low) * tall

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="28" font-size="16">{escape(title)}</text>',
        f'<clipPath id="inside"><rect x="{LEFT}" y="{TOP}" width="{wide}" height="{tall}"/></clipPath>',
    ]
    for power in range(left, right + 1):
        x = across(10**power)
        parts.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{TOP + tall}" stroke="#ddd"/><text x="{x:.1f}" y="{TOP + tall + 20}" text-anchor="middle">{10**power:,}</text>')
    for power in range(low, high + 1):
        y = up(10**power)
        parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{LEFT + wide}" y2="{y:.1f}" stroke="#ddd"/><text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:,g}</text>')
    # Ten times as much for ten times as many.
    for power in range(low - (right - left), high + 1):
        begin, end = (across(10**left), up(10.0**power)), (across(10**right), up(10.0 ** (power + right - left)))
        parts.append(f'<line clip-path="url(#inside)" x1="{begin[0]:.1f}" y1="{begin[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" stroke="#bbb" stroke-dasharray="3 5"/>')
    labels = spread([(up(curve[-1][1]), name) for name, curve in curves.items()])
    for (name, curve), colour in zip(curves.items(), COLOURS * 2):
        line = " ".join(f"{across(x):.1f},{up(max(y, 10.0**low)):.1f}" for x, y in curve)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{across(x):.1f}" cy="{up(max(y, 10.0**low)):.1f}" r="3.5" fill="{colour}"/>' for x, y in curve]
        parts.append(f'<text x="{across(curve[-1][0]) + 10:.1f}" y="{labels[name] + 4:.1f}" fill="{colour}">{escape(name)}</text>')
    parts.append(f'<text x="{LEFT + wide / 2:.0f}" y="{HEIGHT - 14}" text-anchor="middle">documents in the container</text>')
    parts.append(f'<text transform="translate(20 {TOP + tall / 2:.0f}) rotate(-90)" text-anchor="middle">{escape(unit)}</text></svg>')
    return "\n".join(parts) + "\n"


def decades(values):
    """The powers of ten around them, two at least."""
    powers = [math.log10(value) for value in values]
    low = math.floor(min(powers))
    return low, max(math.ceil(max(powers)), low + 1)


def spread(labels, least=16):
    """Places for labels, none over another."""
    placed, last = {}, -math.inf
    for y, name in sorted(labels):
        last = placed[name] = max(y, last + least)
    return placed
