"""As much of PostgreSQL's protocol as running statements takes: without packages, and with each error's SQLSTATE."""

import socket
import struct


class Refused(Exception):
    """The server's error."""

    def __init__(self, fields):
        self.code, self.message = fields.get("C", "?????"), fields.get("M", "")
        super().__init__(f"{self.code} {self.message}")


class Connection:
    """Reached by a socket in a folder, as a user who needs no password."""

    def __init__(self, folder, database, user):
        self.socket = socket.socket(socket.AF_UNIX)
        try:
            self.socket.connect(f"{folder}/.s.PGSQL.5432")
            self.stream = self.socket.makefile("rb")
            pairs = ("user", user, "database", database, "client_encoding", "UTF8", "client_min_messages", "warning")
            text = b"".join(word.encode() + b"\0" for word in pairs)
            self.socket.sendall(struct.pack("!ii", len(text) + 9, 196608) + text + b"\0")
            self._answers()
        except BaseException:
            self.socket.close()
            raise

    def close(self):
        # The file holds the socket open, too.
        self.stream.close()
        self.socket.close()

    def run(self, statements):
        """The rows of each statement, as lists of texts. The first error ends them all.

        Raises `Refused`; a transaction that was begun is rolled back then.
        """
        self._send(statements)
        try:
            return self._answers()
        except Refused:
            self._send("rollback")
            self._answers()
            raise

    def _send(self, statements):
        text = statements.encode() + b"\0"
        self.socket.sendall(b"Q" + struct.pack("!i", len(text) + 4) + text)

    def _answers(self):
        results, rows, error = [], [], None
        while True:
            head = self.stream.read(5)
            if len(head) < 5:
                raise ConnectionError("PostgreSQL closed the connection")
            kind, body = head[:1], self.stream.read(struct.unpack("!i", head[1:])[0] - 4)
            if kind == b"D":
                rows.append(fields_of(body))
            elif kind == b"C":
                results.append(rows)
                rows = []
            elif kind == b"E":
                error = {part[:1].decode(): part[1:].decode() for part in body.split(b"\0") if part}
            elif kind == b"Z":
                if error is not None:
                    raise Refused(error)
                return results


def fields_of(body):
    fields, offset = [], 2
    for _ in range(struct.unpack_from("!h", body)[0]):
        [length] = struct.unpack_from("!i", body, offset)
        offset += 4
        if length < 0:
            fields.append(None)
        else:
            fields.append(body[offset:offset + length].decode())
            offset += length
    return fields
