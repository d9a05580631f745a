"""One clip's pictures: what stands still is painted once, then every frame draws the players and the ball over it."""

import numpy as np
import skia

from . import figure, hall, net, rally, skeleton, teams, volleyball


class Film:
    def __init__(self, camera, shutter):
        """`shutter`: seconds of one exposure."""
        self.camera, self.shutter = camera, shutter
        self.ground = skia.Image.fromarray(self.vignette(hall.paint(camera)))
        self.net = net.paint(camera)
        self.players = teams.teams()
        self.referee = teams.referee()
        self.pixels = np.zeros((camera.size[1], camera.size[0], 4), np.uint8)
        self.surface = skia.Surface(self.pixels)
        self.mirror, self.soft = (skia.Surface(camera.size[0] // 4, camera.size[1] // 4) for _ in range(2))

    def vignette(self, picture):
        height, width = picture.shape[:2]
        y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
        picture[..., :3] = (picture[..., :3] * (1 - 0.16 * (x * x + y * y))[..., None]).astype(np.uint8)
        return picture

    def sway(self, time):
        """The hand that holds the camera: a few pixels of drift, a fraction of a degree, never past the edge."""
        unit = max(self.camera.size) / 1920
        x = unit * (5 * np.sin(0.9 * time) + 2.2 * np.sin(2.3 * time + 1) + 0.7 * np.sin(6.1 * time))
        y = unit * (3.5 * np.sin(1.1 * time + 2) + 1.6 * np.sin(2.9 * time) + 0.6 * np.sin(7.3 * time + 1))
        centre = skia.Point(self.camera.size[0] / 2, self.camera.size[1] / 2)
        matrix = skia.Matrix()
        matrix.setTranslate(x, y)
        matrix.preRotate(0.12 * np.sin(0.7 * time + 0.5), centre.x(), centre.y())
        matrix.preScale(1.025, 1.025, centre.x(), centre.y())
        return matrix

    def frame(self, time):
        """The picture at a time of the rally, as RGBA bytes."""
        canvas = self.surface.getCanvas()
        canvas.save()
        canvas.concat(self.sway(time))
        canvas.drawImage(self.ground, 0, 0, skia.SamplingOptions(skia.FilterMode.kLinear))
        bodies = [(player, skeleton.joints(player, time)) for player in self.players]
        bodies.sort(key=lambda body: -self.camera.project([body[1]["hip"]])[0, 2])
        self.reflections(canvas, bodies)
        self.shadows(canvas, bodies, time)
        painter = figure.Painter(canvas, self.camera, 1.04)
        ball = rally.ball(time)
        behind = [body for body in bodies if body[1]["hip"][0] > 0]
        before = [body for body in bodies if body[1]["hip"][0] <= 0]
        self.group(canvas, painter, behind, time, ball if ball[0] > 0 else None)
        canvas.drawImage(self.net, 0, 0, skia.SamplingOptions(skia.FilterMode.kLinear))
        painter.figure(self.referee, skeleton.joints(self.referee, time))
        self.group(canvas, painter, before, time, ball if ball[0] <= 0 else None)
        canvas.restore()
        return self.pixels

    def group(self, canvas, painter, bodies, time, ball):
        """Players of one side from far to near, with the ball at its depth if it is on this side."""
        ball_depth = self.camera.project([ball])[0, 2] if ball is not None else None
        for player, joints in bodies:
            if ball_depth is not None and ball_depth > self.camera.project([joints["hip"]])[0, 2]:
                volleyball.draw(canvas, self.camera, time, self.shutter)
                ball_depth = None
            painter.figure(player, joints)
        if ball_depth is not None:
            volleyball.draw(canvas, self.camera, time, self.shutter)

    def reflections(self, canvas, bodies):
        """What the varnish mirrors: so blurred that a quarter of the resolution is enough."""
        with self.mirror as mirror:
            mirror.clear(skia.ColorTRANSPARENT)
            mirror.save()
            mirror.scale(0.25, 0.25)
            painter = figure.Painter(mirror, self.camera, 0.9)
            for player, joints in bodies:
                painter.figure(player, skeleton.mirrored(joints))
            mirror.restore()
        blur = 0.045 * self.camera.focal / 12
        soft = skia.Paint(Alpha=34, ImageFilter=skia.ImageFilters.Blur(blur / 4, blur * 1.6 / 4))
        with self.soft as layer:
            layer.clear(skia.ColorTRANSPARENT)
            layer.drawImage(self.mirror.makeImageSnapshot(), 0, 0, skia.SamplingOptions(), soft)
        whole = skia.Rect.MakeWH(*self.camera.size)
        canvas.drawImageRect(self.soft.makeImageSnapshot(), whole, skia.SamplingOptions(skia.FilterMode.kLinear))

    def disc(self, canvas, x, y, radius, alpha, soft):
        angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        flat = self.camera.project(
            np.stack([x + radius * np.cos(angles), y + radius * np.sin(angles), 0 * angles], axis=1)
        )
        path = skia.Path()
        path.addPoly([skia.Point(px, py) for px, py, _ in flat.tolist()], True)
        sigma = soft * self.camera.focal / flat[0, 2]
        canvas.drawPath(
            path,
            skia.Paint(
                AntiAlias=True,
                Color=skia.Color(14, 12, 16, int(alpha)),
                MaskFilter=skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, sigma),
            ),
        )

    def shadows(self, canvas, bodies, time):
        """Many lamps: no hard shadow anywhere, a dark spot under the feet and a wide soft one."""
        for _, joints in bodies:
            x, y = joints["spot"]
            fade = 1 / (1 + 2.5 * joints["lift"])
            self.disc(canvas, x, y, 0.42, 66 * fade, 0.12)
            for side in "lr":
                foot = joints["ankle" + side]
                self.disc(canvas, foot[0], foot[1], 0.13, 110 / (1 + 12 * max(0, foot[2] - 0.1)), 0.035)
        x, y, z = rally.ball(time)
        self.disc(canvas, x, y, 0.10 + 0.03 * z, 120 / (1 + 0.8 * z), 0.02 + 0.03 * z)
