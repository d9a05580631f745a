"""The ball: a shaded, turning sphere of blue and yellow panels, smeared by its motion while the shutter is open."""

import numpy as np
import skia

from . import rally


def turn(time):
    """The rotation of the ball at a time, about an axis that fits no axis of the hall."""
    axis = np.array([0.36, 0.80, 0.48])
    angle = 7.0 * time
    k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def panels(normals):
    """Swirling panels: three bands around each of the six faces of a cube, alternately blue and yellow."""
    size = np.abs(normals)
    face = size.argmax(axis=-1)
    across = np.take_along_axis(normals, ((face + 1) % 3)[..., None], -1)[..., 0] / size.max(axis=-1)
    along = np.take_along_axis(normals, ((face + 2) % 3)[..., None], -1)[..., 0] / size.max(axis=-1)
    stripe = across + 0.25 * along
    colour = np.where((stripe[..., None] > 0.33), [0.98, 0.80, 0.12], [0.10, 0.26, 0.62])
    colour = np.where((stripe[..., None] < -0.33), [0.94, 0.94, 0.92], colour)
    seam = (np.abs(np.abs(stripe) - 0.33) < 0.04) | (size.max(axis=-1) < np.sort(size, axis=-1)[..., 1] * 1.05)
    return colour * np.where(seam, 0.7, 1)[..., None]


def draw(canvas, camera, time, shutter):
    """Draws the ball over what is there; `shutter`: seconds of one exposure."""
    times = time + shutter * np.linspace(-0.5, 0.5, 9)
    flat = camera.project([rally.ball(t) for t in times])
    radius = rally.BALL_RADIUS * camera.focal / flat[4, 2]
    left, top = np.floor(flat[:, :2].min(axis=0) - radius - 3).astype(int)
    right, bottom = np.ceil(flat[:, :2].max(axis=0) + radius + 3).astype(int)
    if (
        right < 0
        or bottom < 0
        or left > camera.size[0]
        or top > camera.size[1]
        or (right - left) * (bottom - top) > 4e6
    ):
        return
    gx, gy = np.meshgrid(np.arange(left, right) + 0.5, np.arange(top, bottom) + 0.5)
    total = np.zeros(gx.shape + (4,))
    sun = np.array([-0.35, 0.75, 0.55])
    for moment, (x, y, _) in zip(times, flat):
        u, v = (gx - x) / radius, (y - gy) / radius
        squared = u * u + v * v
        cover = np.clip((1 - np.sqrt(squared)) * radius + 0.5, 0, 1)
        w = np.sqrt(np.maximum(1 - squared, 0))
        normals = u[..., None] * camera.right + v[..., None] * camera.up - w[..., None] * camera.forward
        light = np.clip(u * sun[0] + v * sun[1] + w * sun[2], 0, 1)
        shine = np.clip(u * -0.25 + v * 0.55 + w * 0.8, 0, 1) ** 40
        colour = panels(normals @ turn(moment)) * (0.38 + 0.66 * light)[..., None] + 0.25 * shine[..., None]
        total[..., :3] += np.clip(colour, 0, 1) * cover[..., None]
        total[..., 3] += cover
    patch = (255 * total / len(times)).round().astype(np.uint8)
    image = skia.Image.fromarray(np.ascontiguousarray(patch), skia.kRGBA_8888_ColorType, skia.kPremul_AlphaType)
    canvas.drawImage(image, float(left), float(top))
