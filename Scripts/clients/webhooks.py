"""A receiver of Mux's webhooks, which trusts nobody: signature, order, duplicates, failures on purpose."""

import hashlib
import hmac
import http.server
import json
import subprocess
import threading
import time
import uuid

from oracles.ground import free_port

from .backend import PATIENCE, moment, put, wait_for, want
from .mux import Mux

# Of the reference: a secret, a time, a body, and what signs them.
EXAMPLE = ("whsec_example_0123456789", "1700000000", b"{}",
           "661d3a4b9c0422d3deebb623347dce11b79eb5949ac79cfb06e28bd2de4bcbd6")


def signature(secret, moment_text, body):
    return hmac.new(secret.encode(), moment_text.encode() + b"." + body, hashlib.sha256).hexdigest()


class Delivery:
    def __init__(self, headers, body, answered):
        self.header, self.type = headers.get("Mux-Signature", ""), headers.get("Content-Type", "")
        self.body, self.answered, self.when = body, answered, time.time()
        self.event = json.loads(body)

    def want_signed(self, secret):
        want(signature(*EXAMPLE[:3]) == EXAMPLE[3], "the receiver itself signs wrongly")
        parts = [part.split("=", 1) for part in self.header.split(",")]
        (stamp,) = [value for name, value in parts if name == "t"]
        signed = [value for name, value in parts if name == "v1"]
        expected = signature(secret, stamp, self.body)
        want(any(hmac.compare_digest(value, expected) for value in signed), f"{self.event['type']}: not signed by us")
        want(abs(self.when - int(stamp)) < 30, f"{self.event['type']}: signed {self.when - int(stamp):.0f} s ago")
        want(self.type.startswith("application/json"), f"{self.event['type']}: sent as {self.type}")


class Receiver:
    """Listens, and answers with what `answer` gives for the number of the delivery of an event."""

    def __init__(self, answer=lambda count: 200, port=0):
        self.deliveries, self.lock = [], threading.Lock()
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with receiver.lock:
                    count = sum(one.event["id"] == json.loads(body)["id"] for one in receiver.deliveries) + 1
                    status = answer(count)
                    receiver.deliveries.append(Delivery(self.headers, body, status))
                if status == "hang":
                    time.sleep(30)
                    return
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}/webhooks"

    def events(self, kind=None, **of):
        """Envelopes that were taken, each once, in the order of their first arrival."""
        with self.lock:
            taken = {one.event["id"]: one.event for one in self.deliveries if one.answered == 200}
        return [event for event in taken.values() if kind in (None, event["type"])
                and all(event["data"].get(name) == value for name, value in of.items())]

    def wait(self, kind, **of):
        wait_for(lambda: self.events(kind, **of), f"no {kind} came")
        return self.events(kind, **of)[0]

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def uploaded(place, mux, data=None):
    upload = mux.create(passthrough=str(uuid.uuid4()))
    put(upload.url, data or place.clip)
    return upload


def check_events(place):
    receiver, second = Receiver(), Receiver()
    backend = place.fresh("--webhook", receiver.url, "--webhook", second.url)
    mux = Mux(backend)
    try:
        upload = uploaded(place, mux)
        ready = receiver.wait("video.asset.ready", upload_id=upload.id)
        created = receiver.wait("video.upload.created", id=upload.id)
        linked = receiver.wait("video.upload.asset_created", id=upload.id)
        receiver.wait("video.asset.created", id=ready["data"]["id"])
        passthrough = upload.new_asset_settings.passthrough
        want(ready["object"] == {"type": "asset", "id": ready["data"]["id"]}, f"the object is {ready['object']}")
        want(linked["object"] == {"type": "upload", "id": upload.id}, f"the object is {linked['object']}")
        want(ready["data"]["passthrough"] == passthrough, f"the asset is {ready['data']}")
        want(linked["data"]["new_asset_settings"]["passthrough"] == passthrough, f"the upload is {linked['data']}")
        want(linked["data"]["asset_id"] == ready["data"]["id"] and linked["data"]["status"] == "asset_created",
             f"the upload is {linked['data']}")
        want(created["data"]["status"] == "waiting", f"the new upload is {created['data']}")
        want(ready["data"]["status"] == "ready" and ready["data"]["playback_ids"][0]["policy"] == "public",
             f"the asset is {ready['data']}")
        want(isinstance(ready["data"]["created_at"], int), "a webhook tells the asset's time as a number")
        want(ready["attempts"] == [], f"the first delivery tells of attempts: {ready['attempts']}")
        for event in receiver.events():
            want(event["id"] == str(uuid.UUID(event["id"])), f"the event's id is {event['id']}")
            moment(event["created_at"])
            want(event["environment"]["name"] and event["environment"]["id"], f"{event['environment']}")
        second.wait("video.asset.ready", upload_id=upload.id)

        mux.assets.delete_asset(ready["data"]["id"])
        receiver.wait("video.asset.deleted", id=ready["data"]["id"])
        cancelled = mux.create()
        mux.uploads.cancel_direct_upload(cancelled.id)
        receiver.wait("video.upload.cancelled", id=cancelled.id)
        noise = uploaded(place, mux, b"no video " * 4096)
        errored = receiver.wait("video.asset.errored", upload_id=noise.id)
        want(errored["data"]["errors"]["messages"], f"the asset is {errored['data']}")
        for delivery in receiver.deliveries + second.deliveries:
            delivery.want_signed(backend.keys["mux_webhook_secret"])
        return f"{len(receiver.events())} events to each of two receivers, all signed, none unknown"
    finally:
        backend.kill()
        receiver.close()
        second.close()


def check_retries(place):
    receiver = Receiver(lambda count: {1: 500, 2: 503}.get(count, 200))
    backend = place.fresh("--webhook", receiver.url)
    try:
        upload = uploaded(place, Mux(backend))
        ready = receiver.wait("video.asset.ready", upload_id=upload.id)
        tries = [one for one in receiver.deliveries if one.event["id"] == ready["id"]]
        want([one.answered for one in tries[:3]] == [500, 503, 200], f"{[one.answered for one in tries]}")
        for one in tries:
            one.want_signed(backend.keys["mux_webhook_secret"])
            want(one.event["data"] == ready["data"] and one.event["created_at"] == ready["created_at"],
                 "another try tells something else")
        want([len(one.event["attempts"]) for one in tries[:3]] == [0, 1, 2], "the tries are not told")
        first = tries[2].event["attempts"][0]
        want(first["response_status_code"] == 500 and first["address"] == receiver.url, f"the first try: {first}")
        pauses = [later.when - earlier.when for earlier, later in zip(tries, tries[1:3])]
        # Never sooner; a loaded machine sends later.
        want(pauses[0] > 1.9 and pauses[1] > 3.9, f"the pauses do not grow: {pauses}")
        # What was taken is not sent again.
        before = len(receiver.deliveries)
        done = len(receiver.events())
        time.sleep(1)
        want(all(one.answered != 200 or sum(other.event["id"] == one.event["id"] and other.answered == 200
                 for other in receiver.deliveries) == 1 for one in receiver.deliveries), "a taken event came again")
        return f"{before} deliveries of {done} events or more; pauses of {pauses[0]:.1f} and {pauses[1]:.1f} s"
    finally:
        backend.kill()
        receiver.close()


def check_restart(place):
    """Nobody listens, the server is killed; both come back, and the events with them."""
    port = free_port()
    backend = place.fresh("--webhook", f"http://127.0.0.1:{port}/webhooks")
    mux = Mux(backend)
    upload = uploaded(place, mux)
    mux.ready_asset(upload.id)
    backend.kill()
    receiver = Receiver(port=port)
    try:
        backend.start()
        ready = receiver.wait("video.asset.ready", upload_id=upload.id)
        receiver.wait("video.upload.asset_created", id=upload.id)
        want(ready["data"]["status"] == "ready", f"the asset is {ready['data']}")
        for delivery in receiver.deliveries:
            delivery.want_signed(backend.keys["mux_webhook_secret"])
        return "events that nobody took are kept through a kill"
    finally:
        backend.kill()
        receiver.close()


def check_slow(place):
    """One that never answers holds up neither the server nor the other."""
    slow, quick = Receiver(lambda count: "hang"), Receiver()
    backend = place.fresh("--webhook", slow.url, "--webhook", quick.url)
    try:
        upload = uploaded(place, Mux(backend))
        quick.wait("video.asset.ready", upload_id=upload.id)
        want(backend.raw("GET", "/health").status_code == 200, "the server is held up")
        return "a receiver that hangs holds up nobody"
    finally:
        backend.kill()
        slow.close()
        quick.close()


def check_addresses(place):
    for url in "http://192.0.2.1/hook", "https://example.org/hook", "file:///etc/passwd", "http://127.0.0.1.nip.io/", \
            "http://user@127.0.0.1@192.0.2.1/", "nothing":
        done = subprocess.run([place.bsc, "serve", "--json", "--port", str(free_port()), "--webhook", url],
                              env=place.client, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
        want("Unknown option" not in done.stderr, "there is no --webhook")
        want(done.returncode == 64, f"--webhook {url} ends with {done.returncode}: {done.stderr.strip()}")
    return "events go to this machine only"


CHECKS = {
    "webhooks events": check_events, "webhooks retries": check_retries, "webhooks restart": check_restart,
    "webhooks slow": check_slow, "webhooks addresses": check_addresses,
}
