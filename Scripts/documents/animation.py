"""A recording as an animated SVG: CSS only, so that it plays where a page shows it as a picture.

All lines that were ever written stand below each other, each version of a line visible while it was there; the whole is
moved up in steps as the terminal scrolled. What moves nothing shows the last screen: renderers without CSS animations,
and people who asked for less motion.
"""

import re
from html import escape, unescape

# Of a cell, in units of the picture; fonts are stretched to it.
WIDTH, HEIGHT, FONT = 8.4, 18, 14
MARGIN, TITLE = 14, 34
# Seconds: a key; the shortest time between two pictures; a silence; a command with all it shows.
KEY, TICK, SILENCE, COMMAND = 0.028, 0.1, 0.9, 5.0
# What a reader gets for reading: at least, for each new line, at most; and at the end.
READ, READ_LINE, READ_LONGEST, END = 1.1, 0.2, 3.0, 5.0

# Names of pyte; light and dark.
COLORS = {
    "black": ("#24292f", "#6e7681"), "red": ("#b3261e", "#ff7b72"), "green": ("#1a7f37", "#56d364"),
    "brown": ("#8a5a00", "#e3b341"), "blue": ("#0a58ca", "#79c0ff"), "magenta": ("#8250df", "#d2a8ff"),
    "cyan": ("#0e7490", "#56d4dd"), "white": ("#57606a", "#c9d1d9"), "brightblack": ("#6e7781", "#8b949e"),
    "brightred": ("#a40e26", "#ffa198"), "brightgreen": ("#116329", "#7ee787"), "brightbrown": ("#6f4400", "#f2cc60"),
    "brightblue": ("#0550ae", "#a5d6ff"), "brightmagenta": ("#6639ba", "#e2c5ff"),
    "brightcyan": ("#0b5f70", "#9be9f0"), "brightwhite": ("#24292f", "#f0f6fc"),
}
FACE = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"


def film(played):
    """(seconds, frame, title) of each picture, and how long all of it lasts."""
    pictures, now, pause = [], 0.0, 0
    for part in played:
        now += pause
        begin = part.frames[0][2].cursor[0]
        shown = [seconds for kind, seconds, _ in part.frames if kind == "shown"]
        # Silences are cut; what is still too long plays faster.
        waits = [min(seconds, SILENCE) for seconds in shown]
        speed = max(1, sum(waits) / COMMAND)
        last = -1.0
        for kind, seconds, frame in part.frames:
            now += KEY if kind == "typed" else min(seconds, SILENCE) / speed
            if kind == "typed" or now - last >= TICK:
                last = now
                pictures.append((now, frame, part.step.title))
            else:
                # Too soon after the one before: it takes that one's place.
                pictures[-1] = (pictures[-1][0], frame, part.step.title)
        lines = max(1, part.frames[-1][2].cursor[0] - begin - 1)
        pause = min(READ_LONGEST, READ + READ_LINE * lines)
    return pictures, now + END


def intervals(pictures, end):
    """For each version of a line: (number, runs) -> [(from, to)], in order of appearance."""
    out, current = {}, {}
    for time, frame, _ in pictures:
        for number in range(frame.first, frame.first + len(frame.lines)):
            runs = frame.lines[number - frame.first]
            if number in current and current[number][0] != runs:
                before, since = current.pop(number)
                if before and time > since:
                    out.setdefault((number, before), []).append((since, time))
            if number not in current:
                current[number] = (runs, time)
        for number in [line for line in current if line >= frame.first + len(frame.lines)]:
            before, since = current.pop(number)
            if before:
                out.setdefault((number, before), []).append((since, time))
    for number, (runs, since) in current.items():
        if runs:
            out.setdefault((number, runs), []).append((since, end))
    return out


def percent(time, end):
    return f"{100 * time / end:.2f}".rstrip("0").rstrip(".") + "%"


def number(value):
    return f"{value:.1f}".removesuffix(".0")


def draw_runs(runs, line, ids, colors):
    """The SVG of a line's runs."""
    out, y = [], line * HEIGHT
    for run in runs:
        text, x, width = ids(run.text), run.column * WIDTH, len(run.text) * WIDTH
        if run.ground != "default":
            path = f"M{number(x)} {y}h{number(width)}v{HEIGHT}h-{number(width)}z"
            out.append(f'<path class="{colors(run.ground)}" d="{path}"/>')
        look = " ".join(filter(None, [colors(run.color), "b" if run.bold else ""]))
        look = f' class="{look}"' if look else ""
        if not text.strip():
            continue
        out.append(f'<text{look} x="{number(x)}" y="{y + 13}" textLength="{number(width)}">{escape(text)}</text>')
    return "".join(out)


def svg(played, columns, lines, ids, texts):
    """`ids` makes ids those of every run; `texts` is what the recording says, for those who do not see it."""
    pictures, end = film(played)
    used = {}

    def colors(name):
        if name == "default":
            return ""
        used[name] = f"c{name}" if name in COLORS else f"x{name}"
        return used[name]

    final = pictures[-1][1]
    groups = {}
    for (line, runs), times in intervals(pictures, end).items():
        drawn = draw_runs(runs, line, ids, colors)
        is_last = times[-1][1] == end
        groups.setdefault((tuple(times), is_last), []).append(drawn)
    rules, body = [], []
    for index, ((times, is_last), drawn) in enumerate(groups.items()):
        if times[0][0] <= pictures[0][0] and times[-1][1] == end and len(times) == 1:
            body.append(f'<g>{"".join(drawn)}</g>')
            continue
        steps = "" if times[0][0] == 0 else "0%{visibility:hidden}"
        for begin, until in times:
            steps += f"{percent(begin, end)}{{visibility:visible}}"
            steps += f"{percent(until, end)}{{visibility:hidden}}" if until < end else ""
        steps += "to{visibility:visible}" if is_last else ""
        rules.append(f"@keyframes a{index}{{{steps}}}.a{index}{{animation-name:a{index}}}")
        body.append(f'<g class="{"k" if is_last else "k h"} a{index}">{"".join(drawn)}</g>')

    scroll, cursor, at, where = "", "", None, None
    for time, frame, _ in pictures:
        if frame.first != at:
            at = frame.first
            scroll += f"{percent(time, end) if scroll else '0%'}{{transform:translateY({-at * HEIGHT}px)}}"
        place = frame.cursor or (final.cursor[0] if final.cursor else 0, -10)
        if place != where:
            where = place
            cursor += (f"{percent(time, end) if cursor else '0%'}"
                       f"{{transform:translate({number(where[1] * WIDTH)}px,{where[0] * HEIGHT}px)}}")
    scroll += f"to{{transform:translateY({-final.first * HEIGHT}px)}}"
    last_place = final.cursor or (0, -10)

    wide, high = columns * WIDTH + 2 * MARGIN, lines * HEIGHT + TITLE + 2 * MARGIN - 6
    middle = number(wide / 2)
    titles, shown = [], []
    for part in played:
        times = [time for time, _, title in pictures if title == part.step.title]
        titles.append((part.step.title, times[0]))
    for index, (title, begin) in enumerate(titles):
        until = titles[index + 1][1] if index + 1 < len(titles) else end
        is_last = until == end
        steps = "" if index == 0 else "0%{visibility:hidden}"
        steps += f"{percent(begin, end) if index else '0%'}{{visibility:visible}}"
        steps += "to{visibility:visible}" if is_last else f"{percent(until, end)}{{visibility:hidden}}"
        rules.append(f"@keyframes t{index}{{{steps}}}.t{index}{{animation-name:t{index}}}")
        look = f'{"k" if is_last else "k h"} t{index} title'
        shown.append(f'<text class="{look}" x="{middle}" y="22">{escape(title)}</text>')

    named = [name for name in used if name in COLORS]
    style = [
        "svg{--paper:#fff;--bar:#f6f8fa;--edge:#d0d7de;--ink:#24292f;--soft:#57606a}",
        *(f".{used[name]}{{fill:{COLORS[name][0]}}}" for name in named),
        *(f".{used[name]}{{fill:#{name}}}" for name in used if name not in COLORS),
        "@media(prefers-color-scheme:dark){",
        "svg{--paper:#0d1117;--bar:#161b22;--edge:#30363d;--ink:#e6edf3;--soft:#9da7b3}",
        *(f".{used[name]}{{fill:{COLORS[name][1]}}}" for name in named),
        "}",
        f"text{{font:{FONT}px {FACE};fill:var(--ink)}}",
        ".title{font:600 13px system-ui,-apple-system,sans-serif;fill:var(--soft);text-anchor:middle}",
        ".b{font-weight:700}.h{visibility:hidden}",
        f".k,.s,.c{{animation-duration:{end:.2f}s;animation-timing-function:step-end;"
        "animation-iteration-count:infinite}",
        f".s{{transform:translateY({-final.first * HEIGHT}px);animation-name:s}}",
        f".c{{fill:var(--soft);opacity:.55;animation-name:c;"
        f"transform:translate({number(last_place[1] * WIDTH)}px,{last_place[0] * HEIGHT}px)}}",
        f"@keyframes s{{{scroll}}}", f"@keyframes c{{{cursor}}}", *rules,
        "@media(prefers-reduced-motion:reduce){.k,.s,.c{animation:none}}",
    ]
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(wide)} {number(high)}" '
        f'width="{number(wide)}" height="{number(high)}" role="img" aria-labelledby="name text">',
        "<title id=\"name\">A minute with bsc, recorded in a terminal</title>",
        f'<desc id="text">{escape(texts)}</desc>',
        f"<style>{chr(10).join(style)}</style>",
        f'<rect x=".5" y=".5" width="{number(wide - 1)}" height="{number(high - 1)}" rx="9" '
        'style="fill:var(--paper);stroke:var(--edge)"/>',
        f'<path d="M1 {TITLE}V9a8 8 0 0 1 8-8H{number(wide - 9)}a8 8 0 0 1 8 8V{TITLE}z" style="fill:var(--bar)"/>',
        f'<path d="M0 {TITLE}.5H{number(wide)}" style="stroke:var(--edge)"/>',
        *shown,
        f'<svg x="{MARGIN}" y="{TITLE + MARGIN - 4}" width="{number(columns * WIDTH)}" height="{lines * HEIGHT}">',
        '<g class="s">', f'<path class="c" d="M0 1h{WIDTH}v{HEIGHT - 2}h-{WIDTH}z"/>', *body, "</g>",
        "</svg>", "</svg>", "",
    ]), end


def transcript(text):
    """What `svg` put into a recording for those who do not see it."""
    found = re.search(r'<desc id="text">(.*?)</desc>', text, re.DOTALL)
    return unescape(found[1]).splitlines() if found else []
