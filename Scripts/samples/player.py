"""Where a player is at a time, in which pose, facing where: read from a script of moves. Seconds and metres."""

import numpy as np

from . import rally


class Move:
    """A key of a player's script: be here at this time, in this pose; a jump leaves the floor around it."""

    def __init__(self, time, x, y, pose="ready", jump=0.0, face=None):
        self.time, self.x, self.y, self.pose, self.jump, self.face = time, x, y, pose, jump, face


def smooth(share):
    return share * share * (3 - 2 * share)


class Player:
    def __init__(self, team, number, skin, hair, height, moves):
        self.team, self.number, self.skin, self.hair, self.height = team, number, skin, hair, height
        self.moves = moves

    def place(self, time):
        """The spot on the floor, and the height above it of someone who has jumped."""
        moves = self.moves
        spot = np.array([moves[0].x, moves[0].y]) if time <= moves[0].time else np.array([moves[-1].x, moves[-1].y])
        for one, two in zip(moves, moves[1:]):
            if one.time <= time < two.time:
                share = smooth((time - one.time) / (two.time - one.time))
                spot = np.array([one.x, one.y]) * (1 - share) + np.array([two.x, two.y]) * share
        lift = 0.0
        for move in moves:
            if move.jump > 0:
                half = np.sqrt(2 * move.jump / rally.GRAVITY)
                lift = (
                    max(lift, move.jump - rally.GRAVITY / 2 * (time - move.time) ** 2)
                    if abs(time - move.time) < half
                    else lift
                )
        return spot, lift

    def poses(self, time):
        """The two poses a player is between, and how far towards the second."""
        moves = self.moves
        if time <= moves[0].time:
            return moves[0].pose, moves[0].pose, 0.0
        for one, two in zip(moves, moves[1:]):
            if one.time <= time < two.time:
                # A pose is taken late, in the last part of the way to it.
                taken = min(0.42, two.time - one.time)
                return one.pose, two.pose, smooth(np.clip((time - (two.time - taken)) / taken, 0, 1))
        return moves[-1].pose, moves[-1].pose, 0.0

    def facing(self, time):
        """The angle (radians, 0 along x) in which the chest points: to the ball, or as the script says."""
        spot, _ = self.place(time)
        given = None
        for one, two in zip(self.moves, self.moves[1:]):
            if one.time - 0.3 <= time < two.time - 0.3:
                given = one.face
        if time >= self.moves[-1].time - 0.3:
            given = self.moves[-1].face
        to = (rally.ball(min(time, 4.3))[:2] if given is None else np.array(given)) - spot
        return np.arctan2(to[1], to[0])


class Referee(Player):
    """Stands on the stand by the far post, and shows the side that serves next."""

    STAND = 1.25

    def place(self, time):
        return np.array([0.0, 6.1]), self.STAND

    def facing(self, time):
        return -np.pi / 2
