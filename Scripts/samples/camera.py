"""A pinhole camera in the hall: x runs along the court, y across it, z up; metres in, pixels out."""

import numpy as np


class Camera:
    def __init__(self, position, target, field_of_view, size):
        """`field_of_view`: degrees across the longer side of the picture; `size`: width and height in pixels."""
        self.position = np.array(position, float)
        self.size = size
        forward = np.array(target, float) - self.position
        self.forward = forward / np.linalg.norm(forward)
        right = np.cross(self.forward, [0, 0, 1])
        self.right = right / np.linalg.norm(right)
        self.up = np.cross(self.right, self.forward)
        self.focal = max(size) / 2 / np.tan(np.radians(field_of_view) / 2)

    def project(self, points):
        """Pixels and depth (metres along the view) of points, one row each."""
        offset = np.atleast_2d(np.asarray(points, float)) - self.position
        depth = np.maximum(offset @ self.forward, 0.05)
        x = self.size[0] / 2 + self.focal * (offset @ self.right) / depth
        y = self.size[1] / 2 - self.focal * (offset @ self.up) / depth
        return np.stack([x, y, depth], axis=1)

    def rays(self, first_row, last_row, shift=(0.5, 0.5)):
        """View directions (not normalised: one metre along the view) of the pixels of some rows."""
        x = (np.arange(self.size[0]) + shift[0] - self.size[0] / 2) / self.focal
        y = (self.size[1] / 2 - np.arange(first_row, last_row) - shift[1]) / self.focal
        rays = self.forward + x[None, :, None] * self.right + y[:, None, None] * self.up
        return rays.astype(np.float32)
