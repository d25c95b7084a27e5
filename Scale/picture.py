"""Draws figures.tsv, which measure.py prints, as cost.svg: cost by events and by parts."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent
WIDTH, HEIGHT, MARGIN = 320, 220, 44
BAR = 22

Row = tuple[int, int, float, float]


def figures() -> list[Row]:
    """Events, parts, seconds of one process and of Spark."""
    rows = []
    for line in (HERE / "figures.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            events, parts, alone, spark, *_ = line.split("\t")
            rows.append((int(events), int(parts), float(alone), float(spark)))
    return sorted(rows)


def panel(left: int, title: str, bars: list[tuple[str, float, float]]) -> list[str]:
    """Two bars for each label: one process, and Spark."""
    most = max(max(alone, spark) for _, alone, spark in bars)
    step = (WIDTH - MARGIN) / len(bars)
    floor = HEIGHT - MARGIN
    drawn = [f'<text x="{left}" y="18" font-weight="bold">{title}</text>']
    for index, (label, alone, spark) in enumerate(bars):
        middle = left + step * (index + 0.5)
        for offset, seconds, color in ((-BAR, alone, "#888"), (0, spark, "#2a6fbb")):
            height = seconds / most * (floor - MARGIN)
            x, y = middle + offset, floor - height
            drawn.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{BAR - 2}" height="{height:.1f}" '
                f'fill="{color}"/>'
                f'<text x="{x + BAR / 2:.1f}" y="{y - 4:.1f}" text-anchor="middle" '
                f'font-size="10">{seconds:.0f}</text>'
            )
        drawn.append(f'<text x="{middle:.1f}" y="{floor + 16}" text-anchor="middle">{label}</text>')
    return drawn


def main() -> None:
    rows = figures()
    most = max(parts for _, parts, _, _ in rows)
    by_events = [
        (f"{events / 1e6:g} M", alone, spark) for events, parts, alone, spark in rows if parts == most
    ]
    least = min(events for events, _, _, _ in rows)
    by_parts = [(str(parts), alone, spark) for events, parts, alone, spark in rows if events == least]
    drawn = [
        *panel(20, f"Seconds by events, {most} parts", by_events),
        *panel(20 + WIDTH, f"Seconds by parts, {least / 1e6:g} M events", by_parts),
        f'<text x="20" y="{HEIGHT - 8}"><tspan fill="#888">■</tspan> one process '
        '<tspan fill="#2a6fbb">■</tspan> check.py --split, without the start of Spark</text>',
    ]
    (HERE / "cost.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * WIDTH + 20} {HEIGHT}" '
        f'font-family="sans-serif" font-size="12">\n'
        f'<rect width="100%" height="100%" fill="#fff"/>\n' + "\n".join(drawn) + "\n</svg>\n"
    )


if __name__ == "__main__":
    main()
