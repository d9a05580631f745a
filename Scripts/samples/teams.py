"""The two teams and the referee, each with the script of the rally: the near side receives, attacks and wins."""

from .player import Move, Player, Referee
from .rally import PASS, POINT, SET, SPIKE

FAIR, TAN, BROWN, DARK = (226, 180, 150), (198, 146, 112), (142, 98, 72), (98, 66, 48)
BLACK, CHESTNUT, BLOND = (26, 22, 20), (74, 48, 30), (190, 150, 72)
M = Move


def teams():
    """Near side (x < 0) receives and wins; far side serves."""
    near, far = "near", "far"
    party = (-3.4, -1.2)
    return [
        # The passer, who then covers the attack.
        Player(
            near,
            7,
            TAN,
            BLACK,
            1.86,
            [
                M(0, -5.6, 1.6),
                M(PASS, -6.55, 1.95, "pass"),
                M(1.5, -6.4, 1.9, "pass"),
                M(3.0, -4.2, 0.4),
                M(4.2, -4.0, 0.0, "cheer", face=party),
                M(5.4, -3.6, -0.6, "cheer", 0.3, face=party),
            ],
        ),
        # The setter.
        Player(
            near,
            1,
            FAIR,
            BLOND,
            1.84,
            [
                M(0, -2.2, -1.2),
                M(1.7, -1.25, 0.5),
                M(SET, -1.1, 0.55, "set", 0.30, face=(1, -9)),
                M(2.7, -1.3, 0.3, face=(-1, -9)),
                M(3.7, -1.8, -0.9),
                M(4.2, -2.4, -1.2, "cheer", 0.25, face=(-1.5, -3)),
                M(5.2, -2.6, -1.7, "cheer", face=(-1.5, -3)),
            ],
        ),
        # The left hitter.
        Player(
            near,
            12,
            BROWN,
            BLACK,
            1.98,
            [
                M(0, -3.8, -3.3),
                M(1.4, -4.6, -3.7),
                M(2.45, -3.9, -3.5, "run", face=(3, -3)),
                M(2.92, -1.75, -3.2, "gather", face=(3, -3)),
                M(3.08, -1.35, -3.15, "cock", face=(3, -3.2)),
                M(SPIKE, -1.15, -3.1, "spike", 0.78, face=(3, -3.2)),
                M(3.5, -1.0, -3.1, "land", face=(3, -3.2)),
                M(4.0, -1.3, -3.0, "ready", face=(4, -3)),
                M(4.4, -1.7, -2.8, "cheer", 0.35, face=(-4, -1)),
                M(5.3, -2.2, -2.4, "cheer", 0.3, face=(-4, -1)),
            ],
        ),
        Player(
            near,
            4,
            FAIR,
            CHESTNUT,
            2.00,
            [
                M(0, -2.6, 0.6),
                M(1.9, -2.2, 1.2, "run", face=(0, 1)),
                M(2.35, -0.9, 1.35, "spike", 0.5, face=(3, 1)),
                M(2.75, -0.9, 1.3, "land"),
                M(3.6, -1.9, 0.0),
                M(4.5, -2.7, -0.3, "cheer", 0.3, face=party),
                M(5.5, -2.8, -0.6, "cheer", face=party),
            ],
        ),
        Player(
            near,
            9,
            DARK,
            BLACK,
            1.92,
            [
                M(0, -5.2, -2.2),
                M(1.4, -5.6, -1.6),
                M(3.1, -3.6, -2.6, "low"),
                M(4.3, -3.4, -2.4, "cheer", 0.2, face=(-2, -2)),
                M(5.4, -3.0, -2.3, "cheer", 0.25, face=(-2, -2)),
            ],
        ),
        Player(
            near,
            15,
            FAIR,
            BLACK,
            1.90,
            [
                M(0, -2.4, 3.3),
                M(1.6, -3.0, 3.6),
                M(3.2, -3.6, 2.6),
                M(4.4, -3.4, 1.2, "run", face=party),
                M(5.2, -3.3, 0.4, "cheer", 0.3, face=party),
            ],
        ),
        # The server, who runs in to defend.
        Player(
            far,
            3,
            FAIR,
            CHESTNUT,
            1.90,
            [
                M(-0.8, 9.9, 1.7, "cock"),
                M(-0.25, 9.3, 1.6, "spike", 0.35),
                M(0.1, 8.9, 1.6, "land"),
                M(1.4, 7.2, 1.2),
                M(3.3, 6.6, 0.8, "low"),
                M(4.6, 6.2, 0.4, "rest"),
            ],
        ),
        # The defender, who comes too late.
        Player(
            far,
            10,
            TAN,
            BLACK,
            1.85,
            [
                M(0, 6.6, -2.4),
                M(2.8, 6.3, -2.9, "low"),
                M(3.5, 6.5, -3.0, "low"),
                M(3.86, 7.0, -3.2, "dive"),
                M(4.5, 7.2, -3.2, "dive"),
                M(5.3, 7.0, -3.0, "rest"),
            ],
        ),
        # The blockers.
        Player(
            far,
            8,
            BROWN,
            BLACK,
            2.02,
            [
                M(0, 1.1, 0.2),
                M(2.3, 0.75, 0.0, "up"),
                M(2.95, 0.62, -1.75, "gather", face=(-5, -1.8)),
                M(3.22, 0.5, -1.95, "block", 0.62, face=(-5, -2)),
                M(3.7, 0.6, -2.0, "up"),
                M(4.6, 1.4, -1.7, "rest"),
            ],
        ),
        Player(
            far,
            5,
            FAIR,
            BLOND,
            1.96,
            [
                M(0, 1.2, -2.6),
                M(2.3, 0.75, -2.5, "up"),
                M(2.97, 0.62, -2.45, "gather", face=(-5, -2.6)),
                M(3.24, 0.5, -2.55, "block", 0.58, face=(-5, -2.7)),
                M(3.7, 0.7, -2.6, "up"),
                M(4.6, 1.6, -2.8, "rest"),
            ],
        ),
        Player(
            far,
            14,
            FAIR,
            CHESTNUT,
            1.94,
            [M(0, 1.2, 3.0), M(2.4, 1.4, 2.6), M(3.3, 2.6, 0.8, "low"), M(4.6, 3.0, 0.2, "rest")],
        ),
        Player(
            far,
            2,
            DARK,
            BLACK,
            1.88,
            [M(0, 6.2, 0.4), M(2.8, 4.6, 2.2), M(3.3, 4.8, 2.0, "low"), M(4.7, 4.6, 1.4, "rest")],
        ),
    ]


def referee():
    return Referee(
        "referee",
        1,
        FAIR,
        CHESTNUT,
        1.78,
        [M(0, 0, 0, "rest"), M(POINT + 0.3, 0, 0, "rest"), M(POINT + 0.75, 0, 0, "point")],
    )
