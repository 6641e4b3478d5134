"""Pictures as inline SVG: numbers in, elements out. The style sheet sets colours by class.

strip   a student's exercises, as bars as high as their points
stack   the outcomes of an exercise in the class
bars    marks, by tenths
race    the ratios of a race on a logarithmic axis, with the speed-up that is needed

Widths are attributes and never `style`, which the page's policy forbids.
"""

import math
from collections.abc import Callable, Iterable, Sequence

from markupsafe import Markup, escape

from grader.records.evidence import PASS_LINE
from grader.records.model import ExerciseResult, Outcome, Race
from grader.records.safe_text import counted

_STRETCHED = ' preserveAspectRatio="none"'
_GAP, _TALL = 3, 18
# They move equal ratios apart, so that each can be seen.
_JITTER = (0, 3, -3, 1, -2)
# The width of all bars of a student together, and the limits for one of them.
_WIDE, _CELLS = 560, (6, 18)


def strip(results: Sequence[ExerciseResult]) -> Markup:
    """A bar for each exercise; without points it is a thin line at the bottom."""
    paths: dict[Outcome, list[str]] = {}
    cell = max(_CELLS[0], min(_CELLS[1], _WIDE // max(1, len(results)) - _GAP))
    for place, result in enumerate(results):
        share = result.score / result.max_score if result.score and result.max_score else 0.0
        height = max(2, round(_TALL * min(1.0, share)))
        if result.outcome is Outcome.BROKEN:
            height = _TALL
        bar = f"M{place * (cell + _GAP)} {_TALL}v-{height}h{cell}v{height}z"
        paths.setdefault(result.outcome, []).append(bar)
    drawn = "".join(f'<path class="{o}" d="{"".join(d)}"/>' for o, d in paths.items())
    width = max(1, len(results) * (cell + _GAP) - _GAP)
    said = tally((outcome, len(bars)) for outcome, bars in paths.items())
    return _svg("strip", width, _TALL, said, drawn, f' width="{width}"')


def stack(outcomes: Iterable[tuple[Outcome, int]]) -> Markup:
    """Parts of a whole, side by side."""
    outcomes = list(outcomes)
    drawn, start = "", 0
    for outcome, count in outcomes:
        drawn += f'<path class="{outcome}" d="M{start} 0h{count}v1h-{count}z"/>'
        start += count
    return _svg("stack", max(1, start), 1, tally(outcomes), drawn, _STRETCHED)


def tally(outcomes: Iterable[tuple[Outcome, int]]) -> str:
    """ "3 passed, 1 failed": the outcomes in words."""
    return ", ".join(f"{count} {outcome.word.lower()}" for outcome, count in outcomes)


def share(part: float, whole: float, kind: str = "passed") -> Markup:
    """One bar on its track."""
    length = round(100 * part / whole, 1) if whole else 0
    drawn = (
        f'<path class="track" d="M0 0h100v1h-100z"/><path class="{kind}" d="M0 0h{length}v1H0z"/>'
    )
    return _svg("stack", 100, 1, f"{length:.0f} %", drawn, _STRETCHED)


def bars(bins: Sequence[int]) -> Markup:
    """How many marks lie in each tenth."""
    most, step, floor = max(*bins, 1), 36, 100
    drawn = f'<path class="axis" d="M0 {floor}.5H360"/>'
    for place, count in enumerate(bins):
        height = 80 * count / most
        left = place * step + 2
        if count:
            drawn += (
                f'<path class="bar" d="M{left} {floor}v-{height:.1f}h{step - 4}v{height:.1f}z"/>'
                f'<text x="{left + step / 2 - 2}" y="{floor - height - 5:.1f}">{count}</text>'
            )
    for percent in (0, 25, 50, 75, 100):
        anchor = {0: "start", 100: "end"}.get(percent, "middle")
        drawn += (
            f'<text class="tick" text-anchor="{anchor}" x="{percent * 3.6:.0f}" y="{floor + 15}">'
            f"{percent} %</text>"
        )
    parts = (f"{counted(n, 'mark')} from {10 * k} %" for k, n in enumerate(bins) if n)
    return _svg("bars", 360, floor + 20, ", ".join(parts) or "no marks", drawn)


def race(shown: Race) -> Markup:
    """A row of points for each launch, the interval of the median, and both limits."""
    launches = [[r for r in ratios if 0 < r < math.inf] for ratios in shown.launches]
    ratios = [ratio for launch in launches for ratio in launch]
    if not ratios or not 0 < shown.at_least < math.inf:
        return Markup()
    lines = (PASS_LINE * shown.at_least, shown.at_least)
    low, high = math.log(min(*ratios, *lines)), math.log(max(*ratios, *lines))
    margin = 0.06 * (high - low) + 1e-9

    def x(ratio: float) -> str:
        share = (math.log(ratio) - low + margin) / (high - low + 2 * margin)
        return f"{8 + 344 * min(1.0, max(0.0, share)):.1f}"

    floor = 18 + 16 * len(launches)
    drawn = f'{_interval(shown, x, floor)}<path class="axis" d="M8 {floor}H352"/>'
    for tick in _ticks(math.exp(low - margin), math.exp(high + margin)):
        drawn += f'<text class="tick" x="{x(tick)}" y="{floor + 13}">{tick:g}×</text>'
    drawn += f'<path class="lower" d="M{x(lines[0])} 14V{floor}"/>'
    drawn += f'<path class="line" d="M{x(lines[1])} 12V{floor}"/>'
    side, nudge = ("end", -2) if float(x(lines[1])) > 270 else ("start", 2)
    drawn += (
        f'<text class="asked" text-anchor="{side}" x="{float(x(lines[1])) + nudge:.1f}" y="9">'
        f"{shown.at_least:g}× needed</text>"
    )
    for row, launch in enumerate(launches):
        dots = (f"M{x(r)} {24 + 16 * row + _JITTER[n % 5]}h0" for n, r in enumerate(launch))
        if launch:
            drawn += f'<path class="dots launch{row % 3}" d="{"".join(dots)}"/>'
    return _svg("race", 360, floor + 18, f"{shown.name}: {shown}", drawn)


def _interval(shown: Race, x: Callable[[float], str], floor: int) -> str:
    if not 0 < shown.low <= shown.high < math.inf:
        return ""
    left, right = float(x(shown.low)), float(x(shown.high))
    return (
        f'<path class="interval" d="M{left} 16H{max(right, left + 1):.1f}V{floor}H{left}z"/>'
        f'<path class="median" d="M{x(shown.ratio)} 16V{floor}"/>'
    )


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers on a logarithmic axis: 1, 2, 5 on a short axis, powers of ten on a long one."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for steps in ((1, 2, 3, 5), (1, 2, 5), (1, 3), (1,)):
        ticks = [s * 10.0**p for p in powers for s in steps if low <= s * 10.0**p <= high]
        if len(ticks) <= 6:
            return ticks
    return ticks[:: math.ceil(len(ticks) / 6)]


def _svg(kind: str, wide: float, tall: float, said: str, drawn: str, more: str = "") -> Markup:
    """`drawn` and `more` are numbers and our own words; `said` is read by a screen reader."""
    return Markup(
        f'<svg class="{kind}" viewBox="0 0 {wide:g} {tall:g}"{more} role="img" '
        f'aria-label="{escape(said)}">{drawn}</svg>'
    )
