"""The sound of the rally: the crowd, hands on the ball, shoes, the floor, the whistle. Stereo, 48 kHz, -1 to 1."""

import numpy as np

from . import rally

RATE = 48_000


def band(noise, low, high):
    """Noise between two frequencies (Hz)."""
    spectrum = np.fft.rfft(noise)
    frequency = np.fft.rfftfreq(len(noise), 1 / RATE)
    spectrum *= np.exp(-((np.maximum(frequency, 1) / high) ** 4)) * (1 - np.exp(-((frequency / low) ** 4)))
    noise = np.fft.irfft(spectrum, len(noise))
    return noise / np.abs(noise).max()


def thump(random, strength, pitch):
    """A hand on the ball, or the ball on the floor."""
    t = np.arange(int(0.25 * RATE)) / RATE
    body = np.sin(2 * np.pi * pitch * t * (1 + 0.25 * np.exp(-t * 60))) * np.exp(-t * 26)
    slap = band(random.standard_normal(len(t)), 900, 5000) * np.exp(-t * 90)
    return strength * (0.7 * body + 0.6 * slap)


def whistle(length):
    t = np.arange(int(length * RATE)) / RATE
    trill = 1 + 0.35 * np.sign(np.sin(2 * np.pi * 38 * t))
    tone = sum(np.sin(2 * np.pi * f * t) for f in (2860, 3140, 3420)) / 3
    return 0.22 * tone * trill * np.minimum(1, np.minimum(t, length - t) / 0.02)


def squeak(random):
    t = np.arange(int(random.uniform(0.05, 0.11) * RATE)) / RATE
    pitch = random.uniform(1500, 2300)
    return 0.035 * np.sin(2 * np.pi * (pitch * t + 2500 * t * t)) * np.hanning(len(t))


def record(start, length, seed=3):
    """The sound of `length` seconds of the rally from `start`, one row per sample."""
    random = np.random.default_rng(seed)
    begin, whole = -1.0, 11.0
    count = int(whole * RATE)
    time = begin + np.arange(count) / RATE
    # The crowd murmurs, holds its breath, and roars at the point.
    roar = (
        0.05
        + 0.05 * np.clip(time / 4, 0, 1)
        + 0.30 / (1 + np.exp(-(time - rally.POINT - 0.25) * 9)) * np.exp(-np.maximum(0, time - 5) * 0.12)
    )
    sides = []
    for _ in range(2):
        crowd = band(random.standard_normal(count), 250, 2600) * (1 + 0.3 * band(random.standard_normal(count), 0.5, 6))
        sides.append(crowd * roar)
    sound = np.stack(sides, axis=1)

    def add(moment, piece, left=1.0):
        first = int((moment - begin) * RATE)
        last = min(first + len(piece), count)
        if first >= 0:
            sound[first:last] += piece[: last - first, None] * np.array([left, 2 - left]) * 0.8

    for moment, strength, pitch, left in (
        (rally.SERVE, 0.4, 190, 0.7),
        (rally.PASS, 0.45, 150, 1.4),
        (rally.SET, 0.16, 240, 1.0),
        (rally.SPIKE, 0.95, 170, 0.9),
        (rally.POINT, 0.75, 95, 0.7),
        (rally.CONTACTS[5][0], 0.3, 95, 0.6),
    ):
        add(moment, thump(random, strength, pitch), left)
    for moment in np.sort(random.uniform(0, 4.4, 14)):
        add(moment, squeak(random), random.uniform(0.6, 1.4))
    add(-0.95, whistle(0.4), 1.2)
    add(rally.POINT + 0.32, whistle(0.75), 1.2)
    first = int((start - begin) * RATE)
    return np.clip(sound[first : first + int(length * RATE)], -0.99, 0.99)
