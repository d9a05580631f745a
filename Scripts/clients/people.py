"""Accounts with a supabase client, and a clip to share."""

import datetime

import supabase
from backend import PATIENCE, Account, Failure, ffmpeg, want
from postgrest.exceptions import APIError
from supabase.lib.client_options import SyncClientOptions

# The columns that the app requests: the author, and the poll with its options.
WHOLE = "*,author:profiles(*),poll:polls(*,options:poll_options(*))"
SECONDS, WIDTH, HEIGHT, FRAMES = 6, 640, 360, 180

# The headers of a video element on the server's pages. Other clients may not download a video by default.
PLAYER = {"Sec-Fetch-Dest": "video", "Sec-Fetch-Site": "same-origin"}


def client(server, key="publishable_key"):
    """A supabase client without a user."""
    options = SyncClientOptions(auto_refresh_token=False, persist_session=False, function_client_timeout=PATIENCE,
                                postgrest_client_timeout=PATIENCE)
    made = supabase.create_client(server.base, server.keys[key], options)
    # The library has no option for this; the default is 5 s.
    made.auth._http_client.timeout = PATIENCE
    return made


class Person(Account):
    def __init__(self, server, name="ann", **data):
        super().__init__(server, name, data)
        self.client = client(server)
        self.client.auth.set_session(self.token, self.refresh)
        self.table, self.rpc = self.client.table, self.client.rpc

    def invoke(self, path, method="POST", **options):
        return self.client.functions.invoke(path, {"method": method, "responseType": "json"} | options)


def clip(place):
    """Six seconds with a counter in the video, and a tone; in H.264 and AAC, as bsc sends them."""
    return place.keep("clip", lambda: ffmpeg(
        place.folder / "clip.mp4", "-f", "lavfi", "-i", f"testsrc2=s={WIDTH}x{HEIGHT}:r=30:d={SECONDS}", "-f", "lavfi",
        "-i", f"sine=d={SECONDS}", "-g", "60").read_bytes())


def example(place):
    """A highlight with its media."""
    return place.keep("example", lambda: Account(place.server, "example").upload(clip(place)))


def rejected(query, *codes, word=""):
    """The query fails with one of these PostgREST codes; returns the library's error."""
    try:
        answer = query.execute()
    except APIError as error:
        shown = f"{error.code} {error.message} {error.details} {error.hint}"
        want(error.code in codes and error.message and word in shown, f"{shown} instead of {codes} with {word!r}")
        return error
    raise Failure(f"{codes} was expected, the answer is {answer.data!r:.200}")


def want_time(text):
    want(datetime.datetime.fromisoformat(text).tzinfo is not None, f"the time {text} has no zone")
