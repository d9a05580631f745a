"""A receiver of Mux's webhooks: signatures, order, retries, failures."""

import asyncio
import hashlib
import hmac
import json
import threading
import time
import uuid

from aiohttp import web
from backend import free_port, put, wait_for, want

from .mux import Mux
from .people import clip, want_time


class Receiver:
    """Responds with the status that `answer` returns for the number of an event's delivery."""

    def __init__(self, answer=lambda count: 200, port=None):
        self.answer, self.deliveries, self.port = answer, [], port or free_port()
        self.url, self.loop = f"http://127.0.0.1:{self.port}/webhooks", asyncio.new_event_loop()
        self.ended, application = asyncio.Event(), web.Application()
        application.router.add_post("/webhooks", self.receive)
        self.runner = web.AppRunner(application, shutdown_timeout=0)
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.run(self.runner.setup())
        self.run(web.TCPSite(self.runner, "127.0.0.1", self.port).start())

    def run(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    async def receive(self, request):
        body = await request.read()
        event = json.loads(body)
        status = self.answer(sum(one["event"]["id"] == event["id"] for one in self.deliveries) + 1)
        self.deliveries.append({"event": event, "body": body, "status": status, "time": time.time(),
                                "signature": request.headers.get("Mux-Signature", ""), "type": request.content_type})
        if status is None:
            await self.ended.wait()
        return web.Response(status=status or 500)

    def wait(self, kind, **fields):
        """The first accepted event of this type and with these values in its data."""
        def found():
            return [one["event"] for one in self.deliveries if one["status"] == 200 and one["event"]["type"] == kind
                    and fields.items() <= one["event"]["data"].items()]
        wait_for(found, f"{kind} arrives")
        return found()[0]

    def close(self, server):
        """Ends, after checking that every delivery was signed by the server."""
        server.kill()
        self.loop.call_soon_threadsafe(self.ended.set)
        self.run(self.runner.cleanup())
        self.loop.call_soon_threadsafe(self.loop.stop)
        for one in self.deliveries:
            parts = dict(part.split("=", 1) for part in one["signature"].split(","))
            signed = parts["t"].encode() + b"." + one["body"]
            expected = hmac.new(server.keys["mux_webhook_secret"].encode(), signed, hashlib.sha256).hexdigest()
            want(hmac.compare_digest(parts["v1"], expected), f"{one['event']['type']} has another signature")
            want(abs(one["time"] - int(parts["t"])) < 30 and one["type"] == "application/json",
                 f"{parts}, {one['type']}")
        return len(self.deliveries)


def uploaded(place, server, data=None):
    upload = Mux(server).create(passthrough=str(uuid.uuid4()))
    put(server, upload.url, data or clip(place))
    return upload


def check_events(place):
    """All events, to two receivers; a third one that never responds delays neither them nor the server."""
    receivers = Receiver(), Receiver(), Receiver(lambda count: None)
    server = place.fresh(*[word for one in receivers for word in ("--webhook", one.url)])
    first, second, _ = receivers
    mux, upload = Mux(server), uploaded(place, server)
    ready = first.wait("video.asset.ready", upload_id=upload.id)
    created = first.wait("video.upload.created", id=upload.id)
    linked = first.wait("video.upload.asset_created", id=upload.id)
    first.wait("video.asset.created", id=ready["data"]["id"])
    want(ready["object"] == {"type": "asset", "id": ready["data"]["id"]} and ready["attempts"] == [], f"{ready}")
    want(ready["data"]["passthrough"] == upload.new_asset_settings.passthrough, f"the asset is {ready['data']}")
    want(ready["data"]["playback_ids"][0]["policy"] == "public" and isinstance(ready["data"]["created_at"], int),
         f"{ready}")
    want(linked["data"]["asset_id"] == ready["data"]["id"] and created["data"]["status"] == "waiting",
         f"{linked} {created}")
    want_time(ready["created_at"])
    second.wait("video.asset.ready", upload_id=upload.id)
    mux.assets.delete_asset(ready["data"]["id"])
    first.wait("video.asset.deleted", id=ready["data"]["id"])
    cancelled = mux.create()
    mux.uploads.cancel_direct_upload(cancelled.id)
    first.wait("video.upload.cancelled", id=cancelled.id)
    errored = first.wait("video.asset.errored", upload_id=uploaded(place, server, b"not a video " * 4096).id)
    want(errored["data"]["errors"]["messages"], f"the asset is {errored['data']}")
    counts = [one.close(server) for one in receivers]
    return f"{counts[0]} and {counts[1]} signed deliveries"


def check_retries(place):
    receiver = Receiver(lambda count: {1: 500, 2: 503}.get(count, 200))
    server = place.fresh("--webhook", receiver.url)
    ready = receiver.wait("video.asset.ready", upload_id=uploaded(place, server).id)
    tries = [one for one in receiver.deliveries if one["event"]["id"] == ready["id"]]
    want([one["status"] for one in tries] == [500, 503, 200], f"{[one['status'] for one in tries]}")
    want(all(one["event"]["data"] == ready["data"] for one in tries), "a retry has other data")
    want([len(one["event"]["attempts"]) for one in tries] == [0, 1, 2], "the attempts are not listed")
    attempt = ready["attempts"][0]
    want((attempt["response_status_code"], attempt["address"]) == (500, receiver.url),
         f"the first attempt is {attempt}")
    pauses = [later["time"] - earlier["time"] for earlier, later in zip(tries, tries[1:])]
    want(pauses[0] > 1.9 and pauses[1] > 3.9, f"the pauses do not grow: {pauses}")
    return f"{receiver.close(server)} deliveries; pauses of {pauses[0]:.1f} and {pauses[1]:.1f} s"


def check_restart(place):
    """Undelivered events survive kill -9."""
    port = free_port()
    server = place.fresh("--webhook", f"http://127.0.0.1:{port}/webhooks")
    upload = uploaded(place, server)
    Mux(server).ready_asset(upload.id)
    server.kill()
    receiver = Receiver(port=port)
    server.start()
    receiver.wait("video.asset.ready", upload_id=upload.id)
    receiver.wait("video.upload.asset_created", id=upload.id)
    return f"{receiver.close(server)} deliveries after a kill"


def check_addresses(place):
    urls = ("http://192.0.2.1/hook", "https://example.org/hook", "file:///etc/passwd", "http://127.0.0.1.nip.io/",
            "http://user@127.0.0.1@192.0.2.1/", "nothing")
    for url in urls:
        place.fails_to_serve("--webhook", url)
    return "events go only to this machine"
