"""A server that takes uploads and throws them away: the chunk protocol of Google Cloud Storage, or one plain `PUT`.

In a process and on a core of its own, one connection at a time. It may break connections, be slow, or be out for a
while.
"""

import contextlib
import dataclasses
import fcntl
import math
import multiprocessing
import os
import re
import socket
import struct
import termios
import time
import zlib

UNIT = 256 << 10
BUFFER = 1 << 20
# A slow reader that takes a lot at once would not be slow for the sender.
SLOW_BUFFER, SLOW_READ = 64 << 10, 4 << 10


@dataclasses.dataclass
class Behaviour:
    # The connection is reset in each so-manieth chunk, after this share of it; 0: never.
    reset_every: int = 0
    reset_share: float = 0.5
    # What is kept of a chunk that broke off: "all" that was read, whole "units" of 256 KiB, or "nothing".
    keep: str = "all"
    # 0: as fast as it goes.
    bytes_per_second: int = 0
    slow_seconds: float = math.inf
    # The connection is reset after so many seconds, and no other taken for the next ones; 0: never.
    outage_after: float = 0
    outage_seconds: float = 2
    # Whether a checksum is kept of what is stored.
    check: bool = False


class Sink:
    """The server, for as long as the context lasts."""

    def __init__(self, behaviour=Behaviour()):
        self.behaviour = behaviour

    def __enter__(self):
        context = multiprocessing.get_context("fork")
        self._pipe, theirs = context.Pipe(duplex=False)
        self._process = context.Process(target=_Server(theirs, self.behaviour).run, daemon=True)
        self._process.start()
        theirs.close()
        self.url = f"http://127.0.0.1:{self._pipe.recv()}/upload"
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.join()
        self._pipe.close()

    def chunks(self):
        """What came since the last call: one record each request with a body, in order."""
        found = []
        while self._pipe.poll():
            found.append(self._pipe.recv())
        return found


class _Server:
    def __init__(self, pipe, behaviour):
        self.pipe, self.behaviour = pipe, behaviour
        self.buffer = memoryview(bytearray(BUFFER))
        self.stored = self.count = self.checksum = 0
        self.total = None
        self.begun = None
        self.had_outage = False
        self.tokens, self.filled = 0.0, time.monotonic()

    def run(self):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        listener = self.listen(0)
        port = listener.getsockname()[1]
        self.pipe.send(port)
        while True:
            connection, _ = listener.accept()
            with contextlib.suppress(ConnectionError):
                while self.answer(connection):
                    pass
            connection.close()
            if self.is_outage_due():
                self.had_outage = True
                listener.close()
                time.sleep(self.behaviour.outage_seconds)
                listener = self.listen(port)

    def listen(self, port):
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if self.behaviour.bytes_per_second:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SLOW_BUFFER)
        listener.bind(("127.0.0.1", port))
        listener.listen()
        return listener

    def is_outage_due(self):
        after = self.behaviour.outage_after
        return bool(after and self.begun and not self.had_outage and time.monotonic() - self.begun >= after)

    def answer(self, connection):
        """One request; false when there is none any more."""
        head = b""
        while b"\r\n\r\n" not in head:
            count = connection.recv_into(self.buffer, SLOW_READ)
            if count == 0:
                return False
            head += self.buffer[:count]
        head, _, body = head.partition(b"\r\n\r\n")
        rest = len(body)
        self.buffer[:rest] = body
        fields = dict(re.findall(r"^([\w-]+):\s*(.*?)\s*$", head.decode("latin-1").lower(), re.MULTILINE))
        length = int(fields.get("content-length", 0))
        where = re.fullmatch(r"bytes (?:(\d+)-(\d+)|\*)/(\d+|\*)", fields.get("content-range", ""))
        if where is None:  # one plain PUT
            first, self.total, self.stored, self.checksum = 0, length, 0, 0
        elif where[1] is None:
            return self.tell(connection)
        else:
            first, last = int(where[1]), int(where[2])
            self.total = None if where[3] == "*" else int(where[3])
            # What a real server would refuse: a gap, a length that is not as told, and a part of a unit before the end.
            if first > self.stored:
                return self.tell(connection, 416)
            if last - first + 1 != length or (last + 1 != self.total and length % UNIT):
                return self.tell(connection, 400)
        return self.take(connection, first, length, rest) and self.tell(connection)

    def take(self, connection, first, length, rest):
        """The body, of which so much is in the buffer; false when the connection is no more."""
        self.begun = self.begun or time.monotonic()
        start = time.monotonic()
        self.count += 1
        every = self.behaviour.reset_every
        is_reset = bool(every and self.count % every == 0)
        stop = max(int(length * self.behaviour.reset_share), 1) if is_reset else length
        before = self.stored
        kept = self.kept(first, stop) if is_reset else length
        read = 0
        while True:
            if self.behaviour.check:
                # Bytes below the offset are ignored, those beyond what is kept are lost.
                new = self.buffer[max(before - first - read, 0) : max(min(rest, kept - read), 0)]
                self.checksum = zlib.crc32(new, self.checksum)
            read += rest
            if self.is_outage_due():
                is_reset, kept = True, self.kept(first, read)
                break
            if read >= stop:
                break
            rest = self.receive(connection, stop - read)
            if rest == 0:
                break
        self.stored = max(self.stored, first + min(read, kept))
        is_whole = read >= length
        unread = 0
        if is_reset:
            (unread,) = struct.unpack("i", fcntl.ioctl(connection, termios.FIONREAD, bytes(4)))
            # Without lingering a close is a reset.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.pipe.send(
            {"first": first, "bytes": length, "arrived": min(read + unread, length), "kept": self.stored - before,
             "reset": is_reset, "seconds": time.monotonic() - start, "stored": self.stored, "crc": self.checksum}
        )
        return is_whole and not is_reset

    def kept(self, first, count):
        match self.behaviour.keep:
            case "all":
                return count
            case "units":
                return max((first + count) // UNIT * UNIT - first, 0)
            case "nothing":
                return 0

    def receive(self, connection, most):
        """Some bytes into the buffer, once the link has carried them: a token bucket, which holds two reads."""
        rate = self.behaviour.bytes_per_second
        if not rate or time.monotonic() - self.begun >= self.behaviour.slow_seconds:
            return connection.recv_into(self.buffer, min(most, BUFFER))
        most = min(most, SLOW_READ)
        while True:
            now = time.monotonic()
            self.tokens = min(self.tokens + (now - self.filled) * rate, 2 * SLOW_READ)
            self.filled = now
            if self.tokens >= most:
                break
            time.sleep((most - self.tokens) / rate)
        count = connection.recv_into(self.buffer, most)
        self.tokens -= count
        return count

    def tell(self, connection, status=None):
        status = status or (200 if self.stored == self.total else 308)
        lines = [f"HTTP/1.1 {status} -", "Content-Length: 0"]
        if status == 308 and self.stored:
            lines.append(f"Range: bytes=0-{self.stored - 1}")
        connection.sendall("\r\n".join([*lines, "", ""]).encode())
        return True
