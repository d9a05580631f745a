"""The net with its posts, antennas and the referee's stand: drawn once per clip, laid over what is behind it."""

import numpy as np
import skia

TOP, BOTTOM, HALF = 2.43, 1.43, 4.75  # metres, of the rules for men


def stroke(colour, width, alpha=255):
    return skia.Paint(
        AntiAlias=True,
        Color=skia.Color(*colour, alpha),
        Style=skia.Paint.kStroke_Style,
        StrokeWidth=width,
        StrokeCap=skia.Paint.kButt_Cap,
    )


def line(canvas, camera, start, end, colour, metres, alpha=255):
    (x0, y0, d0), (x1, y1, d1) = camera.project([start, end]).tolist()
    canvas.drawLine(x0, y0, x1, y1, stroke(colour, metres * camera.focal * 2 / (d0 + d1), alpha))


def paint(camera):
    """The net as a picture with a transparent ground."""
    width, height = camera.size
    surface = skia.Surface(width, height)
    with surface as canvas:
        post(canvas, camera, 5.4)
        stand(canvas, camera)
        mesh(canvas, camera)
        for z, tall, colour in ((TOP - 0.035, 0.07, (244, 244, 240)), (BOTTOM + 0.025, 0.05, (226, 226, 222))):
            band(canvas, camera, z, tall, colour)
        for y in (-4.5, 4.5):
            line(canvas, camera, (0, y, BOTTOM), (0, y, TOP), (235, 235, 232), 0.05)
            for index in range(18):
                colour = (204, 32, 36) if index % 2 else (246, 246, 246)
                line(canvas, camera, (0, y, BOTTOM + index * 0.1), (0, y, BOTTOM + index * 0.1 + 0.1), colour, 0.022)
        post(canvas, camera, -5.4)
    return surface.makeImageSnapshot()


def mesh(canvas, camera):
    for y in np.arange(-HALF, HALF + 0.01, 0.1):
        line(canvas, camera, (0, y, BOTTOM), (0, y, TOP), (20, 20, 22), 0.008, 190)
    for z in np.arange(BOTTOM, TOP, 0.1):
        for y in np.arange(-HALF, HALF - 0.01, 0.5):
            line(canvas, camera, (0, y, z), (0, y + 0.5, z), (20, 20, 22), 0.008, 190)


def band(canvas, camera, z, tall, colour):
    corners = camera.project(
        [(0, -HALF, z - tall / 2), (0, HALF, z - tall / 2), (0, HALF, z + tall / 2), (0, -HALF, z + tall / 2)]
    )
    path = skia.Path()
    path.addPoly([skia.Point(x, y) for x, y, _ in corners.tolist()], True)
    canvas.drawPath(path, skia.Paint(AntiAlias=True, Color=skia.Color(*colour)))
    for side in (-1, 1):
        line(canvas, camera, (0, side * HALF, z), (0, side * 5.4, z), (60, 60, 64), 0.012)


def post(canvas, camera, y):
    """A steel post, padded up to 1.9 m."""
    line(canvas, camera, (0, y, 0), (0, y, 2.55), (150, 154, 160), 0.09)
    (x0, y0, d0), (x1, y1, _) = camera.project([(0, y, 0.03), (0, y, 1.95)]).tolist()
    wide = 0.13 * camera.focal / d0
    shader = skia.GradientShader.MakeLinear(
        points=[skia.Point(x0 - wide, y0), skia.Point(x0 + wide, y0)],
        colors=[skia.Color(66, 104, 176), skia.Color(40, 70, 132), skia.Color(18, 34, 74)],
    )
    canvas.drawRoundRect(
        skia.Rect.MakeLTRB(x0 - wide, y1, x0 + wide, y0),
        wide * 0.4,
        wide * 0.4,
        skia.Paint(AntiAlias=True, Shader=shader),
    )


def stand(canvas, camera):
    """Where the referee stands: four legs, a platform 1.25 m up, a rail."""
    steel = (126, 130, 138)
    for x in (-0.3, 0.3):
        for y in (5.75, 6.45):
            line(canvas, camera, (x, y, 0), (x, y, 1.25), steel, 0.05)
    for z in (0.3, 0.6, 0.9):
        line(canvas, camera, (-0.3, 5.75, z), (0.3, 5.75, z), steel, 0.04)
    for y in (5.75, 5.9, 6.1, 6.3, 6.45):
        line(canvas, camera, (-0.35, y, 1.25), (0.35, y, 1.25), (70, 74, 82), 0.1)
