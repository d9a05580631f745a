"""The flight of the ball, from the serve to the point: real parabolas between its contacts. Seconds and metres."""

import numpy as np

GRAVITY = 9.81
BALL_RADIUS = 0.105

# The contacts of the ball: time, place. Serve, pass, set, spike down the line, floor, and two bounces.
CONTACTS = [
    (-0.25, (9.2, 1.6, 2.75)),
    (1.05, (-6.2, 1.9, 0.80)),
    (2.20, (-0.88, 0.58, 2.30)),
    (3.25, (-0.75, -3.05, 3.05)),
    (3.80, (6.9, -3.55, BALL_RADIUS)),
    (4.75, (12.0, -4.9, BALL_RADIUS)),
    (5.25, (14.0, -5.4, BALL_RADIUS)),
    (7.25, (18.5, -6.4, BALL_RADIUS)),
]
SERVE, PASS, SET, SPIKE, POINT = (time for time, _ in CONTACTS[:5])


def ball(time):
    """The centre of the ball."""
    for (begin, start), (end, goal) in zip(CONTACTS, CONTACTS[1:]):
        if time <= end:
            start, goal, length = np.array(start), np.array(goal), end - begin
            passed = time - begin
            place = start + (goal - start) * passed / length
            place[2] += GRAVITY / 2 * passed * (length - passed) * (goal[2] > BALL_RADIUS or length < 1)
            return place
    return np.array(CONTACTS[-1][1])
