"""Where the joints of a player are: poses in metres, mixed with steps and jumps, bent by two-bone reach."""

import numpy as np

# Of a player of 1.90 m. Poses: pelvis height, lean forward (radians), hands and feet as (forward, left, up);
# hands from the middle of the shoulders, feet from the spot on the floor.
THIGH, SHIN, UPPER_ARM, FOREARM, TRUNK = 0.47, 0.47, 0.32, 0.36, 0.50
SHOULDER, HIP = 0.20, 0.11


def pose(pelvis, lean, left_hand, right_hand, left_foot=(0.02, 0.16, 0), right_foot=(0.02, -0.16, 0), back=0.0):
    return np.array([[pelvis, lean, back], left_hand, right_hand, left_foot, right_foot], float)


POSES = {
    "ready": pose(0.80, 0.50, (0.38, 0.22, -0.34), (0.38, -0.22, -0.34), (0.12, 0.27, 0), (-0.05, -0.27, 0), -0.12),
    "low": pose(0.66, 0.68, (0.46, 0.20, -0.36), (0.46, -0.20, -0.36), (0.16, 0.34, 0), (-0.08, -0.34, 0), -0.18),
    "up": pose(0.90, 0.12, (0.30, 0.24, 0.02), (0.30, -0.24, 0.02), (0.05, 0.2, 0), (-0.02, -0.2, 0), -0.03),
    "rest": pose(0.94, 0.12, (0.12, 0.30, -0.52), (0.12, -0.30, -0.52), (0.03, 0.15, 0), (0.0, -0.15, 0)),
    "run": pose(0.88, 0.32, (0.30, 0.24, -0.30), (-0.22, -0.28, -0.38)),
    "pass": pose(0.70, 0.55, (0.54, 0.04, -0.34), (0.54, -0.04, -0.34), (0.20, 0.28, 0), (-0.12, -0.28, 0), -0.16),
    "set": pose(0.93, -0.02, (0.20, 0.13, 0.52), (0.20, -0.13, 0.52), (0.05, 0.14, 0), (-0.05, -0.14, 0)),
    "gather": pose(0.72, 0.50, (-0.42, 0.24, -0.34), (-0.42, -0.24, -0.34), (0.18, 0.16, 0), (-0.14, -0.16, 0), -0.12),
    "cock": pose(
        0.96, -0.18, (0.34, 0.16, 0.42), (-0.20, -0.34, 0.24), (-0.26, 0.12, 0.20), (-0.34, -0.12, 0.32), 0.05
    ),
    "spike": pose(0.96, 0.16, (0.18, 0.22, -0.22), (0.20, -0.10, 0.63), (-0.06, 0.13, 0.05), (-0.18, -0.13, 0.16)),
    "land": pose(0.78, 0.42, (0.34, 0.28, -0.30), (0.36, 0.02, -0.36), (0.10, 0.20, 0), (-0.02, -0.18, 0), -0.1),
    "block": pose(0.97, 0.04, (0.24, 0.17, 0.61), (0.24, -0.17, 0.61), (0.02, 0.14, 0.03), (0.0, -0.14, 0.06)),
    "cheer": pose(0.95, -0.06, (0.06, 0.34, 0.52), (0.06, -0.34, 0.52), (0.03, 0.16, 0), (0.0, -0.16, 0)),
    "point": pose(0.94, 0.0, (0.10, 0.26, -0.50), (0.12, -0.85, 0.0), (0.03, 0.15, 0), (0.0, -0.15, 0)),
    "dive": pose(0.34, 1.25, (0.60, 0.14, -0.22), (0.62, -0.10, -0.20), (-0.72, 0.18, 0.06), (-0.46, -0.26, 0.0), 0.05),
}


def reach(root, tip, upper, lower, bend):
    """The middle joint of two bones from root towards tip, bent to one side; and the tip, as near as they reach."""
    line = tip - root
    length = np.linalg.norm(line)
    far = np.clip(length, abs(upper - lower) + 0.02, (upper + lower) * 0.995)
    way = line / max(length, 1e-6)
    along = (upper**2 - lower**2 + far**2) / (2 * far)
    side = bend - way * (bend @ way)
    side /= max(np.linalg.norm(side), 1e-6)
    return root + way * along + side * np.sqrt(max(upper**2 - along**2, 0)), root + way * far


def joints(player, time):
    """The joints in the hall by name."""
    first, second, share = player.poses(time)
    shape = POSES[first] * (1 - share) + POSES[second] * share
    spot, lift = player.place(time)
    before, _ = player.place(time - 0.05)
    pace = (spot - before) / 0.05
    speed = np.linalg.norm(pace)
    angle = player.facing(time)
    ahead, left, up = (
        np.array([np.cos(angle), np.sin(angle), 0]),
        np.array([-np.sin(angle), np.cos(angle), 0]),
        np.array([0, 0, 1.0]),
    )
    size = player.height / 1.90
    (pelvis, lean, back), *ends = shape
    hands, feet = np.array(ends[:2]), np.array(ends[2:])
    if speed > 0.5 and lift == 0:
        # Steps: the feet swing along the way, the arms against them.
        walked = sum(np.linalg.norm(player.place(t)[0] - player.place(t - 0.05)[0]) for t in np.arange(0, time, 0.05))
        swing = np.clip((speed - 0.5) / 2.5, 0, 1)
        beat = walked * 2 * np.pi / (0.9 + 0.25 * speed)
        way = np.array([pace @ ahead[:2], pace @ left[:2]]) / speed
        for index, turn in enumerate((0, np.pi)):
            feet[index, :2] += way * np.sin(beat + turn) * 0.34 * swing
            feet[index, 2] += max(0, np.cos(beat + turn)) * 0.22 * swing
            hands[index, 0] -= np.sin(beat + turn) * 0.22 * swing * (hands[index, 2] < 0.2)
        pelvis += 0.03 * np.sin(2 * beat) * swing
    else:
        # No one stands quite still.
        sway = np.sin(time * 3.1 + player.number) * 0.015
        pelvis += sway
        hands[:, 2] += sway + 0.02 * np.sin(time * 4.3 + player.number * 2)
        if second == "cheer":
            hands[:, 2] += 0.10 * np.sin(time * 11 + player.number)
            hands[:, 1] += 0.05 * np.sin(time * 9 + player.number)

    def world(forward, sideways, height):
        return np.array([*spot, lift]) + (ahead * forward + left * sideways + up * height) * size

    hip = world(back, 0, pelvis)
    spine = (ahead * np.sin(lean) + up * np.cos(lean)) * TRUNK * size
    chest = hip + spine
    nod = min(lean, 0.9) * 0.45
    places = {
        "hip": hip,
        "chest": chest,
        "head": chest + (ahead * np.sin(nod) + up * np.cos(nod)) * 0.25 * size,
        "ahead": ahead,
        "left": left,
        "size": size,
        "lift": lift,
        "spot": spot,
        "spine": spine,
    }
    for name, sign, hand, foot in (("l", 1, hands[0], feet[0]), ("r", -1, hands[1], feet[1])):
        shoulder = chest + left * SHOULDER * size * sign - spine * 0.08
        goal = chest + (ahead * hand[0] + left * hand[1] + up * hand[2]) * size
        elbow, wrist = reach(
            shoulder, goal, UPPER_ARM * size, FOREARM * size, -up * 0.6 + left * sign * 0.5 - ahead * 0.4
        )
        thigh = hip + left * HIP * size * sign
        ankle = world(foot[0], foot[1], foot[2] + 0.08)
        knee, ankle = reach(thigh, ankle, THIGH * size, SHIN * size, ahead + left * sign * 0.25)
        places |= {
            "shoulder" + name: shoulder,
            "elbow" + name: elbow,
            "hand" + name: wrist,
            "thigh" + name: thigh,
            "knee" + name: knee,
            "ankle" + name: ankle,
            "toe" + name: ankle + ahead * 0.19 * size - up * 0.05 * size,
        }
    return places


def mirrored(joints):
    """The figure as the floor mirrors it."""
    flip = np.array([1, 1, -1])
    return {
        name: value * flip if isinstance(value, np.ndarray) and value.shape == (3,) else value
        for name, value in joints.items()
    }
