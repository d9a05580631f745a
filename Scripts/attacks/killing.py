"""Clients that ask until the server is killed, and remember what it confirmed."""

import http.client
import itertools
import random
import threading
import time

from oracles.ground import PATIENCE, want

from .target import Person

ROUNDS = 6


class Clients:
    """Threads that ask until the server dies, and remember what it confirmed."""

    def __init__(self, server, person):
        self.server, self.person = server, person
        self.confirmed, self.failures = [], []
        self.lock = threading.Lock()

    def run(self, steps, seconds):
        """Each step is a function that asks, and gives what to check afterwards, or None."""
        stop = threading.Event()
        threads = [threading.Thread(target=self.work, args=(step, stop)) for step in steps]
        for thread in threads:
            thread.start()
        time.sleep(seconds)
        self.server.kill()
        stop.set()
        for thread in threads:
            thread.join(PATIENCE)

    def work(self, step, stop):
        for number in itertools.count():
            if stop.is_set():
                return
            try:
                found = step(number)
            except (OSError, http.client.HTTPException):
                # Unanswered: it may be done or not.
                return
            except Exception as error:
                with self.lock:
                    self.failures.append(error)
                return
            if found is not None:
                with self.lock:
                    self.confirmed.append(found)


def amid(place, make_steps, check, rounds=ROUNDS, seconds=0.2):
    """Kills and starts the server again and again while the steps are asked; then checks all that was confirmed.

    It is killed after so many seconds, and up to as many more, or one.
    """
    server = place.fresh()
    person, chance, total = Person(server), random.Random(8), 0
    for _ in range(rounds):
        clients = Clients(server, person)
        clients.run(make_steps(person), seconds + chance.random() * max(1, seconds))
        want(not clients.failures, f"before it was killed: {clients.failures[:1]}")
        server.start()
        server.want_intact()
        check(person, clients.confirmed)
        total += len(clients.confirmed)
    want(total > rounds, f"only {total} requests were confirmed in {rounds} rounds")
    server.kill()
    return f"{rounds} kills, {total} confirmed requests, all there"


def want_status(answer, *codes):
    want(answer.status in codes, f"{answer.status} {answer.text[:200]}")
    return answer


def present(person, table, ids):
    """Which of the ids are there."""
    found, ids = set(), list(ids)
    for start in range(0, len(ids), 100):
        text = ",".join(ids[start:start + 100])
        found |= {row["id"] for row in want_status(
            person.ask("GET", f"/rest/v1/{table}?select=id&id=in.({text})"), 200).json}
    return found
