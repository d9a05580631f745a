"""The sports hall, which stands still: traced pixel by pixel once per clip, then the crowd painted over it."""

import numpy as np
import skia

HALF_LENGTH, HALF_WIDTH, HEIGHT = 19.0, 15.0, 9.5
COURT_LENGTH, COURT_WIDTH, LINE = 9.0, 4.5, 0.05  # halves of the court of the rules, and its line

table = np.random.default_rng(7).random((256, 256)).astype(np.float32)


def lattice(x, y):
    return table[x.astype(np.int32) & 255, y.astype(np.int32) & 255]


def noise(x, y):
    """Smooth noise between 0 and 1 that changes over one unit."""
    x0, y0 = np.floor(x), np.floor(y)
    u, v = x - x0, y - y0
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    low = lattice(x0, y0) * (1 - u) + lattice(x0 + 1, y0) * u
    high = lattice(x0, y0 + 1) * (1 - u) + lattice(x0 + 1, y0 + 1) * u
    return low * (1 - v) + high * v


def mix(a, b, share):
    return a + (np.asarray(b, np.float32) - a) * share[..., None]


def within(value, low, high, soft):
    return np.clip((value - low) / soft + 0.5, 0, 1) * np.clip((high - value) / soft + 0.5, 0, 1)


def lamps(x, y, soft):
    """How much of a lamp is seen at a point of the ceiling: rows of long tubes."""
    along = np.abs((x + 2.4) % 4.8 - 2.4)
    across = np.abs((y + 1.75) % 3.5 - 1.75)
    return within(along, -9, 1.3, soft) * within(across, -9, 0.16, soft) * (np.abs(y) < 11) * (np.abs(x) < 17)


def floor(x, y, rays, lines_soft):
    row = np.floor(y / 0.11)
    board = np.floor(x / 1.9 + lattice(row, row * 0 + 3) * 5)
    tone = (
        0.9 + 0.16 * lattice(board, row) + 0.1 * (noise(x * 5, y * 130) - 0.5) + 0.05 * (noise(x * 0.5, y * 0.5) - 0.5)
    )
    gap = np.abs(y / 0.11 - row - 0.5) > 0.475
    tone = tone * np.where(gap, 0.93, 1)
    wood = np.array([0.80, 0.57, 0.34], np.float32) * tone[..., None]
    inside = within(np.abs(x), -99, COURT_LENGTH, lines_soft) * within(np.abs(y), -99, COURT_WIDTH, lines_soft)
    front = within(np.abs(x), -99, 3.0, lines_soft) * inside
    paint = np.array([0.10, 0.30, 0.37], np.float32) * (0.8 + 0.2 * tone[..., None])
    colour = mix(paint, wood, inside)
    colour = colour * (1 - front[..., None] * np.array([0.0, 0.10, 0.14], np.float32))
    long_lines = within(np.abs(y), COURT_WIDTH - LINE, COURT_WIDTH, lines_soft) * within(
        np.abs(x), -99, COURT_LENGTH, lines_soft
    )
    short_lines = np.maximum(
        within(np.abs(x), COURT_LENGTH - LINE, COURT_LENGTH, lines_soft),
        np.maximum(within(np.abs(x), 2.95, 3.0, lines_soft), within(np.abs(x), -1, 0.025, lines_soft)),
    )
    lines = np.maximum(long_lines, short_lines * within(np.abs(y), -99, COURT_WIDTH, lines_soft))
    colour = mix(colour, [0.90, 0.90, 0.88], lines * 0.95)
    light = (
        0.66
        + 0.24 * np.exp(-((x / 13) ** 2) - (y / 9) ** 2)
        + 0.10 * np.cos(x * 2 * np.pi / 4.8) * np.cos(y * 2 * np.pi / 7)
    )
    colour = colour * light[..., None]
    # The varnish mirrors the lamps and the walls, more the flatter the view.
    length = np.linalg.norm(rays, axis=-1)
    flat = 1 + rays[..., 2] / length
    mirror = 0.05 + 0.55 * flat**4
    reach = HEIGHT / np.maximum(-rays[..., 2], 1e-3)
    wobble = (noise(x * 1.3, y * 9.1) - 0.5) * 0.25
    up_x, up_y = x + rays[..., 0] * reach, y + rays[..., 1] * reach + wobble
    seen = (np.abs(up_x) < HALF_LENGTH) & (np.abs(up_y) < HALF_WIDTH)
    glow = lamps(up_x, up_y, 1.0) * seen * 1.8
    return colour * (1 - 0.5 * mirror[..., None]) + (mirror * (glow + 0.12))[..., None] * np.array(
        [1, 0.98, 0.93], np.float32
    )


def end_wall(y, z):
    panel = within(np.abs((y + 0.75) % 1.5 - 0.75), -1, 0.735, 0.01)
    padding = (
        np.array([0.07, 0.14, 0.30], np.float32)
        * (0.75 + 0.25 * panel[..., None])
        * (0.9 + 0.1 * np.sin(y * 2 * np.pi / 1.5)[..., None])
    )
    course = np.floor(z / 0.22)
    brick = np.maximum(np.abs(z / 0.22 - course - 0.5) > 0.46, np.abs((y / 0.45 + 0.5 * (course % 2)) % 1 - 0.5) > 0.48)
    tone = 0.95 + 0.06 * lattice(np.floor(y / 0.45 + 0.5 * (course % 2)), course)
    upper = np.array([0.62, 0.60, 0.55], np.float32) * (tone * np.where(brick, 0.93, 1))[..., None]
    colour = np.where((z < 2.1)[..., None], padding, upper)
    band = within(z, 5.6, 8.2, 0.03) * within(np.abs(y), -99, 12, 0.03)
    frame = np.maximum(np.abs((y + 1) % 2 - 1) > 0.94, np.abs(z - 6.9) < 0.05)
    glass = np.array([1.0, 1.08, 1.16], np.float32) * (0.82 + 0.18 * noise(y * 0.6, z * 0.6))[..., None]
    colour = mix(colour, glass, band * np.where(frame, 0.25, 0.95))
    stripe = within(z, 3.5, 3.8, 0.02)
    colour = mix(colour, [0.50, 0.17, 0.14], stripe * 0.85)
    return colour * (0.55 + 0.3 * np.exp(-(((z - 3) / 5) ** 2)))[..., None]


def side_wall(x, z):
    tone = 0.9 + 0.15 * noise(x * 0.7, z * 0.7) - 0.1 * (np.abs((x + 1.5) % 3 - 1.5) > 1.46)
    return np.array([0.30, 0.31, 0.34], np.float32) * (tone * (0.5 + 0.3 * np.exp(-(((z - 5) / 4) ** 2))))[..., None]


def ceiling(x, y):
    beam = (np.abs((x + 2.4 + 2.4) % 4.8 - 2.4) < 0.14) | (np.abs((y + 5) % 5 - 2.5) < 0.05)
    base = np.array([0.22, 0.23, 0.25], np.float32) * np.where(beam, 0.55, 0.9 + 0.1 * noise(x, y * 4))[..., None]
    return mix(base, [1.3, 1.28, 1.2], lamps(x, y, 0.04)) + (lamps(x, y, 2.0) * 0.12)[..., None]


def trace(camera, first_row, last_row, shift):
    """The colours (linear-ish, 0 to 1) of some rows: whichever wall of the box the ray meets first."""
    rays = camera.rays(first_row, last_row, shift)
    origin = camera.position.astype(np.float32)
    far = np.array([HALF_LENGTH, HALF_WIDTH, HEIGHT], np.float32)
    with np.errstate(divide="ignore"):
        ends = np.where(rays > 0, (far - origin) / rays, np.where([True, True, False], -far - origin, -origin) / rays)
    reach = ends.min(axis=-1)
    side = ends.argmin(axis=-1)
    hit = origin + rays * reach[..., None]
    colour = np.zeros(rays.shape, np.float32)
    for wall in range(3):
        for upper in (False, True):
            chosen = (side == wall) & ((rays[..., wall] > 0) == upper)
            if not chosen.any():
                continue
            x, y, z = hit[chosen].T
            if wall == 0:
                colour[chosen] = end_wall(y, z)
            elif wall == 1:
                colour[chosen] = side_wall(x, z)
            elif upper:
                colour[chosen] = ceiling(x, y)
            else:
                colour[chosen] = floor(x, y, rays[chosen], 0.6 * reach[chosen] / camera.focal + 1e-4)
    return colour


def paint(camera):
    """The empty hall with its stands, as an RGBA array."""
    width, height = camera.size
    picture = np.zeros((height, width, 4), np.uint8)
    picture[..., 3] = 255
    step = 120
    for row in range(0, height, step):
        last = min(row + step, height)
        colour = (
            sum(trace(camera, row, last, shift) for shift in ((0.25, 0.4), (0.75, 0.1), (0.4, 0.85), (0.9, 0.65))) / 4
        )
        shoulder = np.clip(colour * 1.22, 0, 1.5)
        shoulder = np.where(shoulder > 0.8, 0.8 + 0.2 * np.tanh((shoulder - 0.8) / 0.2), shoulder)
        picture[row:last, :, :3] = (255 * shoulder**0.92).astype(np.uint8)
    stands(camera, skia.Surface(picture).getCanvas())
    return picture


def fill(red, green, blue, blur=0.0):
    paint = skia.Paint(AntiAlias=True, Color=skia.Color(*(int(np.clip(c, 0, 255)) for c in (red, green, blue))))
    if blur > 0:
        paint.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, blur))
    return paint


def polygon(camera, points):
    path = skia.Path()
    path.addPoly([skia.Point(x, y) for x, y, _ in camera.project(points).tolist()], True)
    return path


def stands(camera, canvas):
    """Rows of people along the far side, a board before them; a little out of focus."""
    random = np.random.default_rng(11)
    for row in reversed(range(9)):
        y, z = 9.2 + 0.62 * row, 0.75 + 0.46 * row
        shade = 0.84 - 0.05 * row
        canvas.drawPath(
            polygon(camera, [(-19, y, z), (19, y, z), (19, y, z - 0.75), (-19, y, z - 0.75)]),
            fill(46 * shade, 48 * shade, 56 * shade, 1.5),
        )
        for x in np.arange(-18.5, 18.5, 0.56):
            if random.random() < 0.2:
                continue
            person(camera, canvas, random, x + random.uniform(-0.1, 0.1), y, z, shade)
    for index, x in enumerate(np.arange(-18, 18, 3.0)):
        colours = [(24, 74, 132), (222, 226, 230), (180, 44, 38), (236, 182, 44)]
        red, green, blue = colours[index % 4]
        canvas.drawPath(
            polygon(camera, [(x, 8.6, 0), (x + 2.98, 8.6, 0), (x + 2.98, 8.6, 0.95), (x, 8.6, 0.95)]),
            fill(red * 0.78, green * 0.78, blue * 0.78),
        )
        light, dark = colours[(index + 1) % 4], 0.7
        for bar in range(4):
            left = x + 0.5 + bar * 0.5
            canvas.drawPath(
                polygon(
                    camera,
                    [(left, 8.59, 0.2), (left + 0.2, 8.59, 0.2), (left + 0.45, 8.59, 0.75), (left + 0.25, 8.59, 0.75)],
                ),
                fill(*(c * dark for c in light)),
            )


def person(camera, canvas, random, x, y, z, shade):
    ((foot_x, foot_y, depth),) = camera.project([(x, y, z)]).tolist()
    metre = camera.focal / depth
    if not -200 < foot_x < camera.size[0] + 200:
        return
    blur = 0.02 * metre
    palette = [
        (150, 40, 38),
        (34, 52, 98),
        (200, 200, 196),
        (60, 62, 66),
        (196, 150, 52),
        (48, 104, 92),
        (104, 72, 128),
        (38, 38, 42),
    ]
    shirt = palette[random.integers(len(palette))]
    skin = [(214, 170, 140), (176, 128, 98), (120, 82, 60), (232, 190, 164)][random.integers(4)]
    hair = [(40, 30, 24), (90, 62, 38), (24, 22, 22), (150, 120, 78)][random.integers(4)]
    tone = shade * random.uniform(0.75, 1.0)
    lift = 0.78 * metre
    body = skia.Rect.MakeLTRB(
        foot_x - 0.22 * metre, foot_y - lift + 0.2 * metre, foot_x + 0.22 * metre, foot_y + 0.1 * metre
    )
    canvas.drawRoundRect(body, 0.16 * metre, 0.18 * metre, fill(*(c * tone for c in shirt), blur))
    if random.random() < 0.25:
        for sign in (-1, 1):
            arm = fill(*(c * tone for c in shirt), blur)
            arm.setStyle(skia.Paint.kStroke_Style)
            arm.setStrokeWidth(0.1 * metre)
            arm.setStrokeCap(skia.Paint.kRound_Cap)
            canvas.drawLine(
                foot_x + sign * 0.2 * metre,
                foot_y - lift + 0.3 * metre,
                foot_x + sign * random.uniform(0.2, 0.34) * metre,
                foot_y - lift - random.uniform(0.1, 0.4) * metre,
                arm,
            )
    canvas.drawCircle(foot_x, foot_y - lift + 0.06 * metre, 0.115 * metre, fill(*(c * tone for c in skin), blur))
    crown = skia.Rect.MakeLTRB(
        foot_x - 0.12 * metre, foot_y - lift - 0.08 * metre, foot_x + 0.12 * metre, foot_y - lift + 0.05 * metre
    )
    canvas.drawOval(crown, fill(*(c * tone for c in hair), blur))
