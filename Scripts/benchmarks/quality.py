"""SSIM, PSNR and VMAF of an output against its source, scaled to the output's size by zimg's Lanczos."""

import functools
import re
import shutil
import subprocess

from benchmarks.clips import Clip


@functools.cache
def ffmpeg_with_vmaf():
    """The first ffmpeg that has libvmaf and zscale: on PATH, or from the PyPI package imageio-ffmpeg."""
    candidates = [shutil.which("ffmpeg")]
    try:
        import imageio_ffmpeg

        candidates.append(imageio_ffmpeg.get_ffmpeg_exe())
    except ImportError:
        pass
    for candidate in candidates:
        filters = subprocess.run([candidate, "-v", "error", "-filters"], stdout=subprocess.PIPE).stdout
        if b" libvmaf " in filters and b" zscale " in filters:
            return candidate
    return None


def normalised(clip, size):
    """The filters that make a clip what it is compared as: this size, 8-bit 4:2:0, BT.709, limited range."""
    width, height = size
    return (
        f"zscale=w={width}:h={height}:f=lanczos:min={clip.matrix}:rin={'full' if clip.full_range else 'limited'}"
        ":m=bt709:r=limited,format=yuv420p"
    )


class Quality:
    """Measures outputs of one source. The scaled source is kept, one file for each size, in `folder`."""

    def __init__(self, source, folder):
        self.source = source
        self.folder = folder
        self.references = {}
        self.hdr_frames = None

    def reference(self, size):
        if size not in self.references:
            # Lossless, so that 4K is decoded and scaled once and not once for each output.
            path = self.folder / f"reference-{size[0]}x{size[1]}.nut"
            subprocess.run(
                ["ffmpeg", "-v", "error", "-nostdin", "-y", "-i", self.source.path, "-map", "0:v:0"]
                + ["-vf", normalised(self.source, size), "-fps_mode", "passthrough"]
                + ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "0", path],
                check=True,
            )
            self.references[size] = path, Clip.probe(path).frame_count()
        return self.references[size]

    def measure(self, path):
        """Figures of one output. ffmpeg turns both upright by their display matrices."""
        output = Clip.probe(path)
        frames = output.frame_count()
        figures = {"width": output.width, "height": output.height, "frames": frames}
        if self.source.hdr:
            self.hdr_frames = self.hdr_frames or self.source.frame_count()
            # What is different on purpose has no distance that means something.
            return figures | {"source_frames": self.hdr_frames}
        reference, wanted_frames = self.reference(output.size)
        figures["source_frames"] = wanted_frames
        # Frame n with frame n, as long as there are as many. Otherwise by time: the filters take the last frame that is
        # not later, and programs that drop or repeat frames round times to the nearest of theirs, so half of one more.
        if frames == wanted_frames:
            order = shifted = "settb=1/1000,setpts=N"
        else:
            order, shifted = "null", f"setpts=PTS+0.5/{output.frame_rate}/TB"
        filters = ["ssim", "psnr"] + (["libvmaf=n_threads=2"] if ffmpeg_with_vmaf() else [])
        graph = ";".join(
            [
                f"[0:v]{normalised(output, output.size)},{shifted},split={len(filters)}"
                + "".join(f"[out{i}]" for i in range(len(filters))),
                f"[1:v]{order},split={len(filters)}" + "".join(f"[ref{i}]" for i in range(len(filters))),
            ]
            + [f"[out{i}][ref{i}]{name}" for i, name in enumerate(filters)]
        )
        log = subprocess.run(
            [ffmpeg_with_vmaf() or "ffmpeg", "-hide_banner", "-nostats", "-nostdin", "-copyts"]
            + ["-i", path, "-i", reference, "-lavfi", graph, "-f", "null", "-"],
            check=True,
            stderr=subprocess.PIPE,
        ).stderr.decode(errors="replace")
        for name, pattern in (
            ("ssim", r"SSIM .*All:([\d.]+)"),
            ("psnr", r"PSNR .*average:([\d.]+)"),
            ("vmaf", r"VMAF score: ([\d.]+)"),
        ):
            if found := re.search(pattern, log):
                figures[name] = float(found[1])
        return figures
