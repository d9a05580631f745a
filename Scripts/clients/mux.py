"""mux-python, Mux's own client, against `/video/v1`."""

import json
import time

import mux_python
from mux_python.exceptions import ApiException, NotFoundException, UnauthorizedException

from .backend import Failure, put, wait_for, want


class Mux:
    """The parts of the library, with the backend's token or another."""

    def __init__(self, backend, secret=None):
        settings = mux_python.Configuration()
        settings.host = backend.base
        settings.username, settings.password = backend.keys["mux_token_id"], secret or backend.keys["mux_token_secret"]
        client = mux_python.ApiClient(settings)
        self.uploads, self.assets = mux_python.DirectUploadsApi(client), mux_python.AssetsApi(client)
        self.playback = mux_python.PlaybackIDApi(client)

    def create(self, passthrough="ours", policy=True, cors_origin="*", **fields):
        asset = mux_python.CreateAssetRequest(passthrough=passthrough)
        if policy:
            asset.playback_policy = [mux_python.PlaybackPolicy.PUBLIC]
        request = mux_python.CreateUploadRequest(cors_origin=cors_origin, new_asset_settings=asset, **fields)
        return self.uploads.create_direct_upload(request).data

    def ready_asset(self, upload):
        found = {}

        def is_over():
            found["upload"] = self.uploads.get_direct_upload(upload).data
            if found["upload"].asset_id:
                found["asset"] = self.assets.get_asset(found["upload"].asset_id).data
            return "asset" in found and found["asset"].status != "preparing"

        wait_for(is_over, "the asset is not ready")
        return found["asset"]


def refused(action, status, kind, exception=ApiException):
    """The action ends with Mux's error, as the library tells it."""
    try:
        answer = action()
    except exception as error:
        want(error.status == status, f"{error.status} {error.body} instead of {status}")
        document = json.loads(error.body)["error"]
        want(document["type"] == kind and document["messages"] and all(isinstance(text, str) and text
             for text in document["messages"]), f"the error is {document}")
        return
    raise Failure(f"{status} was expected, it answered {answer!r:.200}")


def check_upload(place):
    mux = Mux(place.backend)
    before = time.time()
    upload = mux.create(timeout=600)
    want(upload.status == "waiting" and upload.timeout == 600 and upload.cors_origin == "*", f"created: {upload}")
    want(upload.url.startswith(f"{place.backend.base}/upload/") and "token=" in upload.url, f"the URL is {upload.url}")
    want(upload.asset_id is None and upload.new_asset_settings.passthrough == "ours", f"created: {upload}")
    want(mux.create().timeout == 3600, "the default time is not an hour")
    put(upload.url, place.clip)
    asset = mux.ready_asset(upload.id)
    want(asset.status == "ready" and asset.upload_id == upload.id and asset.passthrough == "ours", f"{asset}")
    want(abs(asset.duration - 6) < 0.1 and asset.aspect_ratio == "16:9", f"{asset.duration} s, {asset.aspect_ratio}")
    want(abs(asset.max_stored_frame_rate - 30) < 0.1 and asset.resolution_tier == "720p", f"{asset}")
    want({track.type for track in asset.tracks} == {"video", "audio"}, f"the tracks: {asset.tracks}")
    video = next(track for track in asset.tracks if track.type == "video")
    want((video.max_width, video.max_height) == (640, 360), f"the picture is {video.max_width}x{video.max_height}")
    want(before - 5 < int(asset.created_at) < time.time() + 5, f"created at {asset.created_at!r}")
    want(asset.non_standard_input_reasons is None, f"not standard: {asset.non_standard_input_reasons}")
    want(asset.progress.state == "completed" and asset.ingest_type == "on_demand_direct_upload", f"{asset.progress}")
    (playback,) = asset.playback_ids
    want(playback.policy == "public", f"the playback id is {playback}")
    clip = place.backend.raw("GET", f"/stream/{playback.id}.mp4")
    want(clip.content == place.clip, "what is played is not what was sent")
    want(mux.uploads.get_direct_upload(upload.id).data.status == "asset_created", "the upload does not tell its asset")
    found = mux.assets.list_assets(upload_id=upload.id).data
    want([line.id for line in found] == [asset.id], f"the upload's assets: {found}")
    return "create, PUT, poll; the asset tells what was sent, and plays"


def check_lists(place):
    mux = Mux(place.backend)
    made = [mux.create().id for _ in range(4)]
    pages = [mux.uploads.list_direct_uploads(limit=2, page=page).data for page in (1, 2)]
    listed = [line.id for page in pages for line in page]
    want(listed == made[::-1], f"the newest four in two pages: {listed}, made {made}")
    want(mux.uploads.list_direct_uploads(limit=2, page=999).data == [], "a page after the last")
    want(len(mux.assets.list_assets().data) <= 25 and len(mux.assets.list_assets(limit=1).data) <= 1, "the limit")
    want(mux.assets.list_assets(upload_id="none").data == [], "assets of no upload")
    return "pages of uploads and assets"


def check_cancel(place):
    mux = Mux(place.backend)
    upload = mux.create()
    want(mux.uploads.cancel_direct_upload(upload.id).data.status == "cancelled", "cancelled, it is not")
    put(upload.url, place.clip, status=(404, 409, 410, 499))
    for ended in upload.id, "nothing":
        try:
            mux.uploads.cancel_direct_upload(ended)
            raise Failure(f"{ended} was cancelled")
        except ApiException as error:
            want(error.status in (400, 403, 404, 409), f"cancelling what ended is {error.status}")
            want(json.loads(error.body)["error"]["messages"], f"the error is {error.body}")
    noise = mux.create()
    put(noise.url, b"no video " * 8192)
    asset = mux.ready_asset(noise.id)
    want(asset.status == "errored" and asset.errors.type == "invalid_input" and asset.errors.messages, f"{asset}")
    return "only while it waits; bytes that are no video make an errored asset"


def check_playback_ids(place):
    mux = Mux(place.backend)
    upload = mux.create(policy=False)
    put(upload.url, place.clip)
    asset = mux.ready_asset(upload.id)
    want(not asset.playback_ids, f"no policy was given, yet: {asset.playback_ids}")
    made = mux.assets.create_asset_playback_id(asset.id, mux_python.CreatePlaybackIDRequest(policy="public")).data
    want(mux.assets.get_asset_playback_id(asset.id, made.id).data.policy == "public", "the playback id is not there")
    owner = mux.playback.get_asset_or_livestream_id(made.id).data
    want(owner.id == made.id and owner.object.type == "asset" and owner.object.id == asset.id, f"it is of {owner}")
    want(place.backend.raw("GET", f"/stream/{made.id}.mp4").status_code == 200, "it does not play")
    mux.assets.delete_asset_playback_id(asset.id, made.id)
    want(place.backend.raw("GET", f"/stream/{made.id}.mp4").status_code == 404, "a deleted playback id plays")
    refused(lambda: mux.assets.get_asset_playback_id(asset.id, made.id), 404, "not_found", NotFoundException)
    return "made, found, played, deleted"


def check_asset(place):
    mux = Mux(place.backend)
    upload = mux.create()
    put(upload.url, place.clip)
    asset = mux.ready_asset(upload.id)
    changed = mux.assets.update_asset(asset.id, mux_python.UpdateAssetRequest(
        passthrough="theirs", meta=mux_python.AssetMetadata(title="Set 3", external_id="e1"))).data
    want(changed.passthrough == "theirs" and changed.meta.title == "Set 3", f"changed: {changed}")
    kept = mux.assets.get_asset(asset.id).data
    want((kept.passthrough, kept.meta.title, kept.meta.external_id) == ("theirs", "Set 3", "e1"), f"kept: {kept}")
    refused(lambda: mux.assets.update_asset(asset.id, {"passthrough": "x" * 256}), 400, "invalid_parameters")
    mux.assets.delete_asset(asset.id)
    refused(lambda: mux.assets.get_asset(asset.id), 404, "not_found", NotFoundException)
    refused(lambda: mux.assets.delete_asset(asset.id), 404, "not_found", NotFoundException)
    want(place.backend.raw("GET", f"/stream/{asset.playback_ids[0].id}.mp4").status_code == 404, "deleted, it plays")
    # A row whose asset is deleted under it is the product's affair; what nobody named stays.
    want(place.backend.raw("GET", f"/stream/{place.example['mux_playback_id']}.mp4").status_code == 200, "others went")
    return "passthrough and metadata are kept; deleted, it is gone"


def check_errors(place):
    mux, wrong = Mux(place.backend), Mux(place.backend, "wrong")
    refused(lambda: wrong.uploads.list_direct_uploads(), 401, "unauthorized", UnauthorizedException)
    refused(lambda: wrong.assets.get_asset("none"), 401, "unauthorized", UnauthorizedException)
    refused(lambda: mux.assets.get_asset("none"), 404, "not_found", NotFoundException)
    refused(lambda: mux.uploads.get_direct_upload("none"), 404, "not_found", NotFoundException)
    refused(lambda: mux.playback.get_asset_or_livestream_id("none"), 404, "not_found", NotFoundException)
    for body in {"timeout": 59, "cors_origin": "*"}, {"timeout": 604801, "cors_origin": "*"}, \
            {"cors_origin": "*", "new_asset_settings": {"playback_policies": ["secret"]}}, \
            {"cors_origin": "*", "new_asset_settings": {"passthrough": "x" * 256}}, {"timeout": "soon"}:
        refused(lambda: mux.uploads.create_direct_upload(body), 400, "invalid_parameters")
    keys = place.backend.keys
    answer = place.backend.raw("GET", "/video/v1/uploads", auth=(keys["mux_token_id"], keys["mux_token_secret"]))
    limit, left = (int(answer.headers[f"X-RateLimit-{name}"]) for name in ("Limit", "Remaining"))
    want(0 <= left < limit, f"{left} of {limit} requests are left")
    for content in b"{", b"[]", b"", b"\xff":
        answer = place.backend.raw("POST", "/video/v1/uploads", content=content, auth=(
            keys["mux_token_id"], keys["mux_token_secret"]), headers={"Content-Type": "application/json"})
        want(answer.status_code in (400, 201) and (answer.status_code == 400 or content == b""), f"{content}: {answer}")
    for header in {}, {"Authorization": "Basic !!!"}, {"Authorization": f"Bearer {keys['service_role_key']}"}:
        answer = place.backend.raw("GET", "/video/v1/assets", headers=header)
        want(answer.status_code == 401, f"{list(header)} is {answer.status_code}")
    return "401, 404 and 400 in Mux's shape; rate limits in the headers"


CHECKS = {
    "mux upload": check_upload, "mux lists": check_lists, "mux cancel": check_cancel,
    "mux playback ids": check_playback_ids, "mux asset": check_asset, "mux errors": check_errors,
}
