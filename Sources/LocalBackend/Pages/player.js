// Plays a clip's HLS stream over MediaSource: two playlists, a header, pieces of fragmented MP4. Where that cannot be, the
// browser plays HLS itself, or else the whole MP4.

const AHEAD = 12; // seconds that are fetched before they are needed
const BEHIND = 20; // seconds that stay when the browser wants room
const TRIES = 3;

const Source = globalThis.MediaSource;

/** What a playlist names: the other playlist with its codecs, or the header and the pieces in order. */
export function readPlaylist(text, address) {
  const lines = text.split("\n").map((line) => line.trim()).filter(Boolean);
  if (lines[0] !== "#EXTM3U") throw new Error("no playlist");
  const found = { variant: null, header: null, pieces: [], duration: 0 };
  let attributes = "", seconds = 0;
  for (const line of lines) {
    if (line.startsWith("#EXT-X-STREAM-INF:")) attributes = line;
    else if (line.startsWith("#EXT-X-MAP:")) found.header = new URL(/URI="([^"]+)"/.exec(line)[1], address).href;
    else if (line.startsWith("#EXT-X-BYTERANGE")) throw new Error("pieces inside a file");
    else if (line.startsWith("#EXTINF:")) seconds = parseFloat(line.slice(8));
    else if (!line.startsWith("#")) {
      const url = new URL(line, address).href;
      if (attributes) {
        found.variant ??= { url, codecs: /CODECS="([^"]+)"/.exec(attributes)?.[1] ?? "" };
        attributes = "";
      } else {
        found.pieces.push({ url, start: found.duration, end: found.duration + seconds, isThere: false });
        found.duration += seconds;
      }
    }
  }
  return found;
}

export class ClipPlayer {
  #video; #file; #stream; #life = null; #pump = null; #wish;

  constructor(video) {
    this.#video = video;
    this.#file = video.getAttribute("src");
    this.#stream = video.dataset.stream;
    video.removeAttribute("src");
    video.load();
    video.addEventListener("error", () => this.#step());
    for (const name of ["seeking", "timeupdate", "waiting"]) video.addEventListener(name, () => this.#pump?.());
  }

  get isLoaded() { return this.#life !== null; }

  /** Begins to fetch. Twice is once. */
  load() {
    if (this.#life) return;
    this.#life = new AbortController();
    this.#wish = ["mse", "hls", "mp4"];
    this.#step();
  }

  /** Lets go of everything; the poster is back. */
  unload() {
    if (!this.#life) return;
    this.#life.abort();
    this.#life = this.#pump = null;
    delete this.#video.dataset.via;
    this.#video.removeAttribute("src");
    this.#video.load();
  }

  /** The next way to play it. */
  #step() {
    const { signal } = this.#life ?? {};
    if (!signal) return;
    const way = this.#wish.shift(), video = this.#video, wasPlaying = !video.paused || video.dataset.wanted === "play";
    this.#pump = null;
    if (!way) {
      video.dataset.via = "none";
      video.dispatchEvent(new CustomEvent("unplayable"));
      return;
    }
    video.dataset.via = way;
    if (way === "mse") {
      this.#attach(signal).catch((error) => { if (!signal.aborted && error.name !== "AbortError") this.#step(); });
      return;
    }
    if (way === "hls" && !video.canPlayType("application/vnd.apple.mpegurl")) return this.#step();
    video.src = way === "hls" ? this.#stream : this.#file;
    if (wasPlaying) video.play().catch(() => {});
  }

  async #attach(signal) {
    if (!Source || !this.#stream) throw new Error("no MediaSource");
    const top = await this.#playlist(this.#stream, signal);
    if (!top.variant?.codecs) throw new Error("codecs that nobody named");
    const type = `video/mp4; codecs="${top.variant.codecs}"`;
    if (!Source.isTypeSupported(type)) throw new Error(type);
    const list = await this.#playlist(top.variant.url, signal);
    const header = await fetched(list.header, signal);
    const source = new Source(), address = URL.createObjectURL(source), video = this.#video;
    const opened = happening(source, "sourceopen", signal);
    video.src = address;
    if (video.dataset.wanted === "play") video.play().catch(() => {});
    await opened;
    URL.revokeObjectURL(address);
    source.duration = list.duration;
    const buffer = source.addSourceBuffer(type);
    await appended(buffer, header, signal);
    let isBusy = false;
    this.#pump = async () => {
      if (isBusy || signal.aborted) return;
      isBusy = true;
      try {
        forgetEvicted(list.pieces, video);
        for (let piece; (piece = wanted(list.pieces, video));) {
          const bytes = await fetched(piece.url, signal);
          // Somebody went elsewhere while it came: it is wanted later, if ever.
          if (!isNear(piece, video.currentTime)) continue;
          await this.#put(buffer, bytes, list.pieces, signal);
          piece.isThere = true;
          if (list.pieces.at(-1).isThere && source.readyState === "open") source.endOfStream();
        }
      } catch (error) {
        if (!signal.aborted) this.#step();
      } finally {
        isBusy = false;
      }
    };
    this.#pump();
  }

  async #put(buffer, bytes, pieces, signal) {
    try {
      await appended(buffer, bytes, signal);
    } catch (error) {
      if (error.name !== "QuotaExceededError") throw error;
      const end = this.#video.currentTime - BEHIND;
      if (end <= 0) throw error;
      const done = happening(buffer, "updateend", signal);
      buffer.remove(0, end);
      await done;
      for (const piece of pieces) if (piece.start < end) piece.isThere = false;
      await appended(buffer, bytes, signal);
    }
  }

  async #playlist(address, signal) {
    const url = new URL(address, location.href).href;
    return readPlaylist(new TextDecoder().decode(await fetched(url, signal)), url);
  }
}

const isNear = (piece, time) => piece.end > time - 0.25 && piece.start < time + AHEAD;
const wanted = (pieces, video) => pieces.find((piece) => !piece.isThere && isNear(piece, video.currentTime));

/** The browser throws pieces away when it wants the room. */
function forgetEvicted(pieces, video) {
  const here = pieces.find((piece) => piece.isThere && piece.start <= video.currentTime && video.currentTime < piece.end);
  if (!here) return;
  const middle = (here.start + here.end) / 2, { buffered } = video;
  for (let part = 0; part < buffered.length; part += 1) {
    if (buffered.start(part) <= middle && middle < buffered.end(part)) return;
  }
  here.isThere = false;
}

/** The bytes behind an address; tried again when the line breaks. */
async function fetched(address, signal) {
  for (let turn = 1; ; turn += 1) {
    try {
      const answer = await fetch(address, { signal });
      if (answer.ok) return await answer.arrayBuffer();
      if (answer.status < 500 || turn === TRIES) throw Object.assign(new Error(`${answer.status}`), { isFinal: true });
    } catch (error) {
      if (error.isFinal || signal.aborted || turn === TRIES) throw error;
    }
    await new Promise((done) => setTimeout(done, 300 * turn));
  }
}

async function appended(buffer, bytes, signal) {
  const done = happening(buffer, "updateend", signal);
  buffer.appendBuffer(bytes);
  await done;
}

function happening(target, name, signal) {
  return new Promise((done, fail) => {
    target.addEventListener(name, done, { once: true });
    target.addEventListener("error", () => fail(new Error(name)), { once: true });
    signal.addEventListener("abort", () => fail(signal.reason), { once: true });
  });
}
