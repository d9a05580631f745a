"""The table of one source, and what in it is not as wanted."""

from benchmarks.common import median, ratio


def column(runs, key):
    return [run[key] for run in runs]


def misses(source, peer):
    """What is not as wanted against this peer, with its number."""
    ours, wanted, found = peer.get("our_result", source["bsc"]), peer["wanted"], []
    cpu = median([a / b for a, b in zip(column(peer["ours"], "cpu_seconds"), column(peer["theirs"], "cpu_seconds"))])
    if cpu > wanted["cpu"]:
        found.append(f"CPU {cpu:.3f}, wanted {wanted['cpu']:.2f}")
    if wanted["bytes"] and ours["bytes"] > wanted["bytes"] * peer["bytes"]:
        found.append(f"bytes {ours['bytes'] / peer['bytes']:.3f}, wanted {wanted['bytes']:.2f}")
    for name in ("ssim", "vmaf"):
        loss = wanted[f"{name}_loss"]
        if loss is not None and name in ours and name in peer and ours[name] < peer[name] - loss:
            found.append(f"{name.upper()} {ours[name] - peer[name]:+.4f}, wanted {-loss:+g}")
    return found


def our_misses(source, runs):
    found = []
    busy = median(column(runs, "cores_busy"))
    if source["name"] != "remux" and busy < 0.9:
        found.append(f"cores {busy:.0%} busy, wanted 90 %")
    limit = {("h264", "yuv420p"): 450e6, ("hevc", "yuv420p10le"): 600e6}.get((source["codec"], source["pixel_format"]))
    peak = max(column(runs, "peak_bytes"))
    if limit and source["name"] != "remux" and peak > limit:
        found.append(f"memory {peak / 1e6:.0f} MB, wanted {limit / 1e6:.0f}")
    return found


def frames_differ(result):
    """Then frames are compared by time, some with their neighbours: such figures are too low."""
    return "source_frames" in result and result["frames"] != result["source_frames"]


def show(source, pairs):
    share = source["non_reference_share"]
    print(
        f"\n{source['name']}: {source['codec']} {source['pixel_format']} {source['width']}x{source['height']}"
        f" {source['frame_rate']:.4g} fps, {source['bytes'] / 1e6:.1f} MB, "
        + (f"{share:.0%} non-reference pictures, " if share is not None else "")
        + f"{pairs} pair{'s' if pairs > 1 else ''}"
    )
    print(
        f"  {'':16}{'CPU s':>7}{'wall s':>8}{'busy':>6}{'memory':>8}{'MB':>7}{'size':>11}{'frames':>8}"
        f"{'SSIM':>8}{'PSNR':>7}{'VMAF':>7}   bsc / theirs: CPU, wall, bytes"
    )
    ours = [run for peer in source["peers"] if "our_result" not in peer for run in peer["ours"]]
    rows = [("bsc", ours, source["bsc"], "")]
    for peer in source["peers"]:
        mine = peer.get("our_result", source["bsc"])
        if "our_result" in peer:
            rows.append((f"bsc -q {mine['quality']}", peer["ours"], mine, ""))
        keys = "cpu_seconds", "seconds"
        ratios = [ratio(column(peer["ours"], key), column(peer["theirs"], key), 3) for key in keys]
        ratios.append(f"{mine['bytes'] / peer['bytes']:.3f}")
        rows.append((peer["name"], peer["theirs"], peer, "   " + ", ".join(ratios)))
    for title, runs, result, ratios in rows:
        size = f"{result['width']}x{result['height']}" if "width" in result else "-"
        frames = f"{result.get('frames', '-')}{'!' if frames_differ(result) else ''}"
        marks = [
            f"{result[name]:{form}}" if name in result else "-"
            for name, form in (("ssim", ".4f"), ("psnr", ".2f"), ("vmaf", ".2f"))
        ]
        print(
            f"  {title:16}{median(column(runs, 'cpu_seconds')):7.2f}{median(column(runs, 'seconds')):8.2f}"
            f"{median(column(runs, 'cores_busy')):6.0%}"
            f"{max(column(runs, 'peak_bytes')) / 1e6:5.0f} MB{result['bytes'] / 1e6:7.2f}{size:>11}{frames:>8}"
            f"{marks[0]:>8}{marks[1]:>7}{marks[2]:>7}{ratios}"
        )
    for result in [source["bsc"]] + source["peers"]:
        if frames_differ(result):
            title = result.get("name", "bsc")
            print(f"  ! {title} has {result['frames']} frames, the source {result['source_frames']}")
    if source.get("settings_differ"):
        print(f"  ! x264 settings differ: {', '.join(source['settings_differ'])}")
    if "packets_identical" in source:
        print(f"  packets {'are identical' if source['packets_identical'] else 'DIFFER'}")
    if missed := our_misses(source, ours):
        print(f"  MISSED: {'; '.join(missed)}")
    for peer in source["peers"]:
        if missed := misses(source, peer):
            print(f"  MISSED against {peer['name']}: {'; '.join(missed)}")
