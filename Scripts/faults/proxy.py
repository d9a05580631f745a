"""A proxy that delays, stalls, resets, closes and refuses connections, and loses responses."""

import asyncio
import contextlib
import dataclasses
import socket
import struct

KINDS = {"none": 1, "reset": 4, "close": 2, "stall": 2, "refuse": 1, "lose": 4, "kill-client": 3, "kill-server": 3,
         "lose-and-kill-server": 2}


@dataclasses.dataclass
class Fault:
    """What happens to one connection after some bytes from the client or to it (up, down), or after some answers."""

    kind: str = "none"
    direction: str = "up"
    after: int = 0
    seconds: float = 0
    delay: float = 0  # of each 16 KiB

    @classmethod
    def draw(cls, rng):
        kind, direction = rng.choices(list(KINDS), KINDS.values())[0], rng.choice(["up", "down"])
        # Headers and small bodies, or anywhere in the clip. Answers are short.
        largest = 5000 if direction == "down" or rng.random() < 0.3 else 1_480_000
        if kind.startswith("lose"):
            direction, largest = "answer", 9
        delay = rng.uniform(0.001, 0.03) if kind == "none" or rng.random() < 0.3 else 0
        return cls(kind, direction, rng.randrange(largest), rng.uniform(0.2, 3), delay)


def reset(writer):
    """Ends a connection with RST instead of FIN."""
    with contextlib.suppress(OSError):
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


class Proxy:
    """Forwards connections to the server. Each one gets the next fault."""

    def __init__(self, faults, server_port, kills):
        self.faults, self.server_port, self.kills = list(faults), server_port, kills
        self.done, self.port = [], 0

    async def open(self, seconds=0):
        """Binds the port, the same one each time; until it listens, connections are refused."""
        bound = socket.socket()
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(("127.0.0.1", self.port))
        self.port = bound.getsockname()[1]
        await asyncio.sleep(seconds)
        self.listener = await asyncio.start_server(self.accept, sock=bound)

    async def accept(self, client_reader, client):
        fault = self.faults.pop(0) if self.faults else Fault()
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            if fault.kind == "refuse":
                self.done.append(fault.kind)
                reset(client)
                self.listener.close()
                return await self.open(fault.seconds)
            server_reader, server = await asyncio.open_connection("127.0.0.1", self.server_port())
            link = Link(self, fault, client, server)
            await asyncio.gather(link.pump(client_reader, server, "up"), link.pump(server_reader, client, "down"))
            return
        reset(client)


class Link:
    def __init__(self, proxy, fault, client, server):
        self.proxy, self.fault, self.client, self.server = proxy, fault, client, server
        self.is_waiting, self.answers = False, 0

    async def pump(self, reader, writer, direction):
        """Forwards bytes in one direction until they end or the fault happens."""
        fault, sent = self.fault, 0
        while data := await reader.read(16 << 10):
            if direction == "down" and self.is_waiting:
                # `100 Continue` isn't the answer.
                self.answers += not data.startswith(b"HTTP/1.1 100")
                if fault.direction == "answer" and self.answers > fault.after:
                    return self.strike()
            self.is_waiting = direction == "up"
            await asyncio.sleep(fault.delay)
            if fault.kind != "none" and direction == fault.direction and sent <= fault.after < sent + len(data):
                writer.write(data[:fault.after - sent])
                await writer.drain()
                if fault.kind != "stall":
                    await asyncio.sleep(0.01)  # RST discards what hasn't arrived.
                    return self.strike()
                self.proxy.done.append(fault.kind)
                await asyncio.sleep(fault.seconds)
                data, sent = data[fault.after - sent:], fault.after
            sent += len(data)
            writer.write(data)
            await writer.drain()
        writer.close()

    def strike(self):
        kind = self.fault.kind
        self.proxy.done.append(kind)
        if "kill" in kind:
            self.proxy.kills[kind.rpartition("-")[2]]()
        if kind == "close":
            self.client.close()
        else:
            reset(self.client)
        reset(self.server)
