"""Shares a clip that is uploaded while it is encoded, with the faults of `shares`.

Clients are killed at any time of the encode and of the upload. The stored clip is complete, passes the audit, decodes
without a message, and has its index at the end. An encode that continues has other bytes than an uninterrupted one.
"""

import shutil

from faults import encodes, shares
from harness import expect, run

# Only longer encodes continue where they stopped.
SECONDS, RATE = 24, 30
SOURCE = ["-f", "lavfi", "-i", f"testsrc2=s=320x180:r={RATE}:d={SECONDS},noise=alls=90:allf=t", "-f", "lavfi", "-i",
          f"sine=r=48000:d={SECONDS}", "-c:v", "mpeg4", "-q:v", "1", "-c:a", "aac"]


class Streams(shares.Shares):
    rounds, long_rounds = 2, 12
    command = [*shares.SHARE, "--stream", "--allow-no-metadata"]
    # resume also makes the plan of a share that was killed before.
    settings = {"BSC_UPLOAD_STREAM": "on"}

    def __init__(self, folder, bsc, library):
        self.source = folder / "source.mp4"
        run("ffmpeg", "-v", "error", "-nostdin", *SOURCE, self.source)
        super().__init__(folder, bsc, library)
        self.digest = None

    def add_clip(self, home):
        shutil.copy(self.source, home.folder / "clip.mp4")

    def check(self, home, clip):
        home.run("audit", clip)
        data = clip.read_bytes()
        expect(data.rfind(b"moov") > data.rfind(b"mdat"), "the clip was not uploaded while it was encoded")
        found = encodes.messages("ffmpeg", "-v", "warning", "-nostdin", "-i", clip, "-f", "null", "-")
        expect(not found, f"ffmpeg reports {found}")
        frames = run("ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=nb_frames", "-of",
                     "csv=p=0", clip)
        expect(int(frames) == SECONDS * RATE, f"the clip has {int(frames)} frames")
