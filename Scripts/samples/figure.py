"""Draws a player: shaded limbs, a shirt with its number, a head."""

import numpy as np
import skia

KITS = {
    "near": {
        "shirt": (196, 34, 40),
        "trim": (245, 240, 235),
        "shorts": (36, 34, 40),
        "number": (250, 248, 244),
        "shoe": (236, 236, 238),
    },
    "far": {
        "shirt": (232, 234, 238),
        "trim": (26, 58, 120),
        "shorts": (24, 46, 98),
        "number": (24, 46, 98),
        "shoe": (240, 130, 40),
    },
    "referee": {
        "shirt": (222, 226, 232),
        "trim": (30, 34, 48),
        "shorts": (30, 34, 48),
        "number": (222, 226, 232),
        "shoe": (40, 40, 44),
    },
}

# The strokes of the ten digits on a 1 by 2 grid, as on a shirt.
DIGITS = {
    "0": "00 10 12 02 00",
    "1": "00 02",
    "2": "02 12 11 01 00 10",
    "3": "02 12 10 00|01 11",
    "4": "02 01 11|12 10",
    "5": "12 02 01 11 10 00",
    "6": "12 02 00 10 11 01",
    "7": "02 12 00",
    "8": "00 10 12 02 00|01 11",
    "9": "11 01 02 12 10 00",
}


class Painter:
    """Draws figures on a canvas, as one camera sees them, lit from above and a little from the left."""

    def __init__(self, canvas, camera, dim=1.0):
        self.canvas, self.camera, self.dim = canvas, camera, dim

    def tone(self, colour, light):
        return skia.Color(*(int(min(255, c * light * self.dim)) for c in colour))

    def limb(self, start, end, thick, thin, colour):
        """A rounded limb; thicknesses are radii in metres."""
        (x0, y0, d0), (x1, y1, d1) = self.camera.project([start, end]).tolist()
        r0, r1 = thick * self.camera.focal / d0, thin * self.camera.focal / d1
        length = max(np.hypot(x1 - x0, y1 - y0), 1e-3)
        nx, ny = -(y1 - y0) / length, (x1 - x0) / length
        path = skia.Path()
        path.addPoly(
            [
                skia.Point(x0 + nx * r0, y0 + ny * r0),
                skia.Point(x1 + nx * r1, y1 + ny * r1),
                skia.Point(x1 - nx * r1, y1 - ny * r1),
                skia.Point(x0 - nx * r0, y0 - ny * r0),
            ],
            True,
        )
        whole = skia.Path.Circle(x0, y0, r0)
        whole.addCircle(x1, y1, r1)
        whole = skia.Op(whole, path, skia.PathOp.kUnion_PathOp) or whole
        # Light falls on the upper left edge; the gradient runs across the limb.
        if nx * -0.5 + ny * -0.85 < 0:
            nx, ny = -nx, -ny
        wide = max(r0, r1)
        paint = skia.Paint(AntiAlias=True)
        paint.setShader(
            skia.GradientShader.MakeLinear(
                points=[skia.Point(x0 + nx * wide, y0 + ny * wide), skia.Point(x0 - nx * wide, y0 - ny * wide)],
                colors=[self.tone(colour, 1.04), self.tone(colour, 0.88), self.tone(colour, 0.55)],
                positions=[0, 0.45, 1],
            )
        )
        self.canvas.drawPath(whole, paint)

    def trunk(self, joints, kit, number):
        size, spine = joints["size"], joints["spine"]
        corners = [
            joints["shoulderl"],
            joints["shoulderr"],
            joints["hip"] - joints["left"] * 0.12 * size,
            joints["hip"] + joints["left"] * 0.12 * size,
        ]
        flat = self.camera.project(corners)
        metre = self.camera.focal / flat[0, 2]
        points = [skia.Point(x, y) for x, y, _ in flat.tolist()]
        path = skia.Path()
        path.addPoly(points, True)
        x0, x1 = flat[:, 0].min() - 0.1 * metre, flat[:, 0].max() + 0.1 * metre
        y0, y1 = flat[:, 1].min(), flat[:, 1].max()
        shader = skia.GradientShader.MakeLinear(
            points=[skia.Point(x0, y0), skia.Point(x1, y1)],
            colors=[self.tone(kit["shirt"], 1.05), self.tone(kit["shirt"], 0.9), self.tone(kit["shirt"], 0.55)],
            positions=[0, 0.5, 1],
        )
        paint = skia.Paint(
            AntiAlias=True,
            Shader=shader,
            Style=skia.Paint.kStrokeAndFill_Style,
            StrokeWidth=0.17 * size * metre,
            StrokeJoin=skia.Paint.kRound_Join,
        )
        self.canvas.drawPath(path, paint)
        toward = self.camera.position - joints["chest"]
        front = toward @ joints["ahead"]
        across = abs(front) / np.linalg.norm(toward)
        if across > 0.25:
            self.digits(str(number), joints, kit, 1 if front < 0 else -1, size, spine)

    def digits(self, text, joints, kit, hand, size, spine):
        right = -joints["left"] * hand
        middle = joints["hip"] + spine * 0.62 - joints["ahead"] * hand * 0.10 * size
        wide, tall = 0.09 * size, spine * 0.24
        depth = self.camera.project([middle])[0, 2]
        paint = skia.Paint(
            AntiAlias=True,
            Color=self.tone(kit["number"], 0.9),
            Style=skia.Paint.kStroke_Style,
            StrokeWidth=0.032 * size * self.camera.focal / depth,
            StrokeJoin=skia.Paint.kRound_Join,
        )
        for index, digit in enumerate(text):
            shift = (index - (len(text) - 1) / 2) * 0.14 * size
            for stroke in DIGITS[digit].split("|"):
                places = [
                    middle + right * (shift + (int(p[0]) - 0.5) * wide) + tall * (int(p[1]) - 1) for p in stroke.split()
                ]
                path = skia.Path()
                path.addPoly([skia.Point(x, y) for x, y, _ in self.camera.project(places).tolist()], False)
                self.canvas.drawPath(path, paint)

    def head(self, joints, player):
        (x, y, depth), (front_x, front_y, _) = self.camera.project(
            [joints["head"], joints["head"] + joints["ahead"] * 0.08]
        ).tolist()
        r = 0.118 * joints["size"] * self.camera.focal / depth
        turn = (
            (self.camera.position - joints["head"])
            @ joints["ahead"]
            / np.linalg.norm(self.camera.position - joints["head"])
        )
        face = skia.Paint(
            AntiAlias=True,
            Shader=skia.GradientShader.MakeRadial(
                skia.Point(x - 0.3 * r, y - 0.4 * r),
                1.9 * r,
                [self.tone(player.skin, 1.05), self.tone(player.skin, 0.55)],
            ),
        )
        hair = skia.Paint(
            AntiAlias=True,
            Shader=skia.GradientShader.MakeRadial(
                skia.Point(x - 0.3 * r, y - 0.6 * r),
                2 * r,
                [self.tone([c + 30 for c in player.hair], 1), self.tone(player.hair, 0.7)],
            ),
        )
        self.canvas.drawOval(skia.Rect.MakeLTRB(x - 0.86 * r, y - 1.12 * r, x + 0.86 * r, y + 1.15 * r), face)
        # The hair covers the side of the head that looks away.
        side = np.sign(front_x - x) * min(1, abs(front_x - x) / (0.6 * r))
        self.canvas.save()
        self.canvas.clipPath(
            skia.Path.Oval(skia.Rect.MakeLTRB(x - 0.94 * r, y - 1.22 * r, x + 0.94 * r, y + 1.2 * r)), True
        )
        down = -0.35 if turn > 0.45 else (0.85 if turn < -0.2 else 0.3)
        cap = skia.Rect.MakeLTRB(
            x - 1.2 * r - side * 0.55 * r, y - 1.6 * r, x + 1.2 * r - side * 0.55 * r, y + down * r
        )
        self.canvas.drawOval(cap, hair)
        if turn < 0.6 and abs(side) > 0.2:
            back = sorted((x - side * 1.2 * r, x - side * 0.22 * r))
            self.canvas.drawRect(skia.Rect.MakeLTRB(back[0], y - 1.6 * r, back[1], y + 0.5 * r), hair)
        self.canvas.restore()
        if turn > 0.1:
            self.face(x, y, r, side, turn)

    def face(self, x, y, r, side, turn):
        """Eyes under their brows and a mouth, as far as the head is turned towards the camera."""
        dark = skia.Paint(AntiAlias=True, Color=skia.Color(40, 26, 22, int(200 * min(1, turn * 2))))
        for eye in (-0.33, 0.33):
            middle = x + (eye + 0.35 * side) * r
            self.canvas.drawOval(
                skia.Rect.MakeLTRB(middle - 0.10 * r, y - 0.03 * r, middle + 0.10 * r, y + 0.12 * r), dark
            )
            self.canvas.drawRect(
                skia.Rect.MakeLTRB(middle - 0.18 * r, y - 0.22 * r, middle + 0.18 * r, y - 0.14 * r), dark
            )
        middle = x + 0.38 * side * r
        lips = skia.Paint(AntiAlias=True, Color=skia.Color(120, 50, 46, int(190 * min(1, turn * 2))))
        self.canvas.drawOval(skia.Rect.MakeLTRB(middle - 0.2 * r, y + 0.56 * r, middle + 0.2 * r, y + 0.72 * r), lips)

    def figure(self, player, joints):
        kit, size = KITS[player.team], joints["size"]
        sides = sorted("lr", key=lambda s: -self.camera.project([joints["shoulder" + s]])[0, 2])
        for side in sides:
            self.leg(joints, side, kit, player.skin, size)
        far_arm, near_arm = sides
        self.arm(joints, far_arm, kit, player.skin, size)
        facing_away = (self.camera.position - joints["chest"]) @ joints["ahead"] < 0
        self.limb(joints["thighl"], joints["thighr"], 0.125 * size, 0.125 * size, kit["shorts"])
        if facing_away:
            self.head(joints, player)
        self.limb(joints["chest"], joints["head"], 0.065 * size, 0.06 * size, player.skin)
        self.trunk(joints, kit, player.number)
        self.head(joints, player)
        self.arm(joints, near_arm, kit, player.skin, size)

    def leg(self, joints, side, kit, skin, size):
        thigh, knee, ankle, toe = (joints[name + side] for name in ("thigh", "knee", "ankle", "toe"))
        self.limb(knee, ankle, 0.066 * size, 0.042 * size, skin)
        self.limb(knee + (ankle - knee) * 0.62, ankle, 0.05 * size, 0.046 * size, kit["trim"])
        self.limb(ankle - np.array([0, 0, 0.03]), toe, 0.05 * size, 0.04 * size, kit["shoe"])
        self.limb(thigh, knee, 0.098 * size, 0.066 * size, skin)
        self.limb(knee - (knee - thigh) * 0.12, knee + (ankle - knee) * 0.14, 0.074 * size, 0.07 * size, (30, 30, 34))
        self.limb(thigh, thigh + (knee - thigh) * 0.5, 0.115 * size, 0.105 * size, kit["shorts"])

    def arm(self, joints, side, kit, skin, size):
        shoulder, elbow, hand = (joints[name + side] for name in ("shoulder", "elbow", "hand"))
        self.limb(elbow, hand, 0.043 * size, 0.032 * size, skin)
        self.limb(hand, hand + (hand - elbow) * 0.24, 0.04 * size, 0.032 * size, skin)
        self.limb(shoulder, elbow, 0.056 * size, 0.043 * size, skin)
        self.limb(shoulder, shoulder + (elbow - shoulder) * 0.45, 0.072 * size, 0.064 * size, kit["shirt"])
