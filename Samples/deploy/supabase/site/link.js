// The page of a link to a highlight. The Edge Function `link` returns the content and the addresses of the video.

const functions = document.querySelector("meta[name=bsc-functions]").content;
const token = location.pathname.split("/").filter(Boolean).at(-1) ?? "";
const element = (id) => document.getElementById(id);
const isStream = (url) => new URL(url).pathname.endsWith(".m3u8");

const ENDS = {
  404: ["This link does not exist", "Check the address, or ask the athlete for a new link."],
  410: ["This link has ended", "It has expired, or the athlete revoked it. Ask the athlete for a new one."],
};
const FAILED = ["The highlight can't be loaded", "Check the connection, and reload the page."];

function end([title, text]) {
  document.querySelector("h1").textContent = document.title = title;
  element("state").textContent = text;
  element("state").hidden = false;
  element("about").hidden = true;
  element("clips").replaceChildren();
}

async function load(isCounted) {
  const response = await fetch(`${functions}/link`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token, is_counted: isCounted }),
  });
  if (!response.ok) throw Object.assign(new Error("refused"), { status: response.status });
  return await response.json();
}

/** Sets the address of a video. Browsers that can't play streams need hls.js next to this file. */
async function play(video, clip) {
  if (clip.thumbnail) video.poster = clip.thumbnail;
  if (!isStream(clip.video) || video.canPlayType("application/vnd.apple.mpegurl")) {
    video.src = clip.video;
    return;
  }
  const { default: Hls } = await import("/hls.mjs");
  const stream = new Hls({ enableWorker: false });
  stream.on(Hls.Events.ERROR, (_, { fatal }) => {
    if (!fatal) return;
    stream.destroy();
    video.dispatchEvent(new Event("error"));
  });
  stream.loadSource(clip.video);
  stream.attachMedia(video);
}

function show(link) {
  document.querySelector("h1").textContent = document.title = `Highlight of ${link.display_name}`;
  element("name").textContent = link.display_name;
  element("team").textContent = link.team_name ?? "";
  element("caption").textContent = (link.caption ?? "").trim();
  const until = new Date(link.link_expires_at);
  element("end").dateTime = link.link_expires_at;
  element("end").textContent = until.toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
  element("about").hidden = false;
  element("state").hidden = link.clips.length > 0;
  element("state").textContent = "The video is not available at the moment. Reload the page in a few minutes.";

  element("clips").replaceChildren(...link.clips.map((clip, index) => {
    const video = document.createElement("video");
    Object.assign(video, { controls: true, playsInline: true, preload: "metadata" });
    video.ariaLabel = link.clips.length > 1 ? `Clip ${index + 1} of ${link.clips.length}` : "Clip";
    let refreshed = -Infinity;
    video.addEventListener("error", async () => {
      // Addresses expire after some minutes. A video that fails at once again has another problem.
      if (performance.now() - refreshed < 60_000) return end(FAILED);
      refreshed = performance.now();
      const [time, wasPlaying] = [video.currentTime, !video.paused];
      try {
        const fresh = await load(false);
        if (fresh.clips.length !== link.clips.length) return show(fresh);
        await play(video, fresh.clips[index]);
        video.currentTime = time;
        // The visitor may pause it before it plays.
        if (wasPlaying) video.play().catch(() => {});
      } catch (error) {
        end(ENDS[error.status] ?? FAILED);
      }
    });
    play(video, clip).catch(() => end(["This browser can't play the video", "Open the link in the newest Chrome, Edge or Safari."]));
    return video;
  }));
}

// A page that is loaded in advance is not an opening.
if (document.prerendering) await new Promise((done) => document.addEventListener("prerenderingchange", done, { once: true }));
try {
  show(await load(true));
} catch (error) {
  end(ENDS[error.status] ?? FAILED);
}
