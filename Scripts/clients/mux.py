"""mux-python, Mux's own client, with `/video/v1`."""

import json
import time

import mux_python
from backend import Failure, put, wait_for, want
from mux_python.exceptions import ApiException

from .people import PLAYER, clip, example


class Mux:
    def __init__(self, server, secret=None):
        settings = mux_python.Configuration()
        settings.host = server.base
        settings.username, settings.password = server.keys["mux_token_id"], secret or server.keys["mux_token_secret"]
        client = mux_python.ApiClient(settings)
        self.server, self.playback = server, mux_python.PlaybackIDApi(client)
        self.uploads, self.assets = mux_python.DirectUploadsApi(client), mux_python.AssetsApi(client)

    def create(self, passthrough="ours", policy=True, cors_origin="*", **fields):
        asset = mux_python.CreateAssetRequest(passthrough=passthrough)
        if policy:
            asset.playback_policy = [mux_python.PlaybackPolicy.PUBLIC]
        request = mux_python.CreateUploadRequest(cors_origin=cors_origin, new_asset_settings=asset, **fields)
        return self.uploads.create_direct_upload(request).data

    def ready_asset(self, upload):
        found = {}

        def has_ended():
            asset = self.uploads.get_direct_upload(upload).data.asset_id
            if asset:
                found["asset"] = self.assets.get_asset(asset).data
            return asset and found["asset"].status != "preparing"
        wait_for(has_ended, "the asset is ready")
        return found["asset"]

    def upload(self, data, **fields):
        upload = self.create(**fields)
        put(self.server, upload.url, data)
        return self.ready_asset(upload.id)

    def plays(self, playback):
        return self.server.ask("GET", f"/stream/{playback}.mp4", headers=PLAYER).status_code == 200


def rejected(action, status, kind):
    try:
        answer = action()
    except ApiException as error:
        document = json.loads(error.body)["error"]
        want(error.status == status and document["type"] == kind and document["messages"],
             f"{error.status} {error.body}")
        return
    raise Failure(f"{status} was expected, the answer is {answer!r:.200}")


def check_upload(place):
    mux = Mux(place.server)
    before = time.time()
    upload = mux.create(timeout=600)
    want((upload.status, upload.timeout, upload.cors_origin, upload.asset_id) == ("waiting", 600, "*", None),
         f"{upload}")
    want(upload.new_asset_settings.passthrough == "ours" and mux.create().timeout == 3600, f"{upload}")
    put(place.server, upload.url, clip(place))
    asset = mux.ready_asset(upload.id)
    want((asset.status, asset.upload_id, asset.passthrough, asset.aspect_ratio, asset.resolution_tier,
          asset.ingest_type)
         == ("ready", upload.id, "ours", "16:9", "720p", "on_demand_direct_upload"), f"{asset}")
    want(abs(asset.duration - 6) < 0.1 and abs(asset.max_stored_frame_rate - 30) < 0.1, f"{asset}")
    tracks = {track.type: track for track in asset.tracks}
    want(set(tracks) == {"video", "audio"} and tracks["video"].max_width == 640, f"the tracks are {asset.tracks}")
    want(before - 5 < int(asset.created_at) < time.time() + 5 and asset.progress.state == "completed", f"{asset}")
    (playback,) = asset.playback_ids
    want(playback.policy == "public" and mux.plays(playback.id), f"the playback ID is {playback}")
    want([one.id for one in mux.assets.list_assets(upload_id=upload.id).data] == [asset.id], "the upload's assets")
    made = [mux.create().id for _ in range(4)]
    listed = [one.id for page in (1, 2) for one in mux.uploads.list_direct_uploads(limit=2, page=page).data]
    want(listed == made[::-1], f"the newest four in two pages: {listed}, created {made}")
    return "create, PUT, poll, list; the asset describes the clip, and plays"


def check_ends(place):
    mux = Mux(place.server)
    upload = mux.create()
    want(mux.uploads.cancel_direct_upload(upload.id).data.status == "cancelled", "it is not cancelled")
    put(place.server, upload.url, clip(place), (404, 409, 410, 499))
    asset = mux.upload(b"not a video " * 8192)
    want(asset.status == "errored" and asset.errors.type == "invalid_input" and asset.errors.messages, f"{asset}")
    return "a cancelled upload accepts nothing; bytes that are not a video make an errored asset"


def check_playback_ids(place):
    mux = Mux(place.server)
    asset = mux.upload(clip(place), policy=False)
    want(not asset.playback_ids, f"without a policy: {asset.playback_ids}")
    made = mux.assets.create_asset_playback_id(asset.id, mux_python.CreatePlaybackIDRequest(policy="public")).data
    want(mux.assets.get_asset_playback_id(asset.id, made.id).data.policy == "public", "the playback ID is missing")
    owner = mux.playback.get_asset_or_livestream_id(made.id).data
    want((owner.object.type, owner.object.id) == ("asset", asset.id) and mux.plays(made.id), f"it belongs to {owner}")
    mux.assets.delete_asset_playback_id(asset.id, made.id)
    want(not mux.plays(made.id), "a deleted playback ID plays")
    rejected(lambda: mux.assets.get_asset_playback_id(asset.id, made.id), 404, "not_found")
    return "created, found, played, deleted"


def check_asset(place):
    mux = Mux(place.server)
    asset = mux.upload(clip(place))
    mux.assets.update_asset(asset.id, mux_python.UpdateAssetRequest(
        passthrough="theirs", meta=mux_python.AssetMetadata(title="Set 3", external_id="e1")))
    kept = mux.assets.get_asset(asset.id).data
    want((kept.passthrough, kept.meta.title, kept.meta.external_id) == ("theirs", "Set 3", "e1"), f"stored: {kept}")
    rejected(lambda: mux.assets.update_asset(asset.id, {"passthrough": "x" * 256}), 400, "invalid_parameters")
    mux.assets.delete_asset(asset.id)
    rejected(lambda: mux.assets.get_asset(asset.id), 404, "not_found")
    want(not mux.plays(asset.playback_ids[0].id), "a deleted asset plays")
    want(mux.plays(example(place)["mux_playback_id"]), "another asset with the same clip is deleted")
    return "passthrough and metadata are stored; a deleted asset is gone"


def check_errors(place):
    mux, wrong = Mux(place.server), Mux(place.server, "wrong")
    rejected(wrong.uploads.list_direct_uploads, 401, "unauthorized")
    rejected(lambda: mux.assets.get_asset("none"), 404, "not_found")
    rejected(lambda: mux.uploads.get_direct_upload("none"), 404, "not_found")
    rejected(lambda: mux.playback.get_asset_or_livestream_id("none"), 404, "not_found")
    for fields in {"timeout": 59}, {"timeout": 604801}, {"new_asset_settings": {"playback_policies": ["secret"]}}, \
            {"new_asset_settings": {"passthrough": "x" * 256}}, {"timeout": "soon"}:
        rejected(lambda: mux.uploads.create_direct_upload({"cors_origin": "*"} | fields), 400, "invalid_parameters")
    return "401, 404 and 400 in Mux's format"
