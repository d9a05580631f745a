// Plays the clips of one highlight, with controls over the video.

import { recall, remember } from "./memory.js";

const PLAY = '<path d="M8 5.2v13.6L19 12z"/>';
const SOUND = '<path d="M4 9.5h3.5L12 5.5v13L7.5 14.5H4z"/><g class="waves"><path d="M15.5 9a4 4 0 0 1 0 6M18 6.5a7.5 7.5 0 0 1 0 11"/></g><path class="cross" d="M15.5 9.5l5 5m0-5l-5 5"/>';

/** Whether clips are muted. This is one setting for all clips, which is stored in the browser. */
export const sound = {
  get isMuted() { return recall("muted") !== "no"; },
  set isMuted(value) {
    remember("muted", value ? "yes" : "no");
    for (const video of document.querySelectorAll("video")) video.muted = value;
    for (const button of document.querySelectorAll(".sound")) label(button);
  },
};

const label = (button) => {
  button.setAttribute("aria-pressed", `${sound.isMuted}`);
  button.setAttribute("aria-label", "Muted");
};
const clock = (seconds) => `${Math.floor(seconds / 60)}:${`${Math.floor(seconds % 60)}`.padStart(2, "0")}`;

function svg(shapes) {
  const holder = document.createElement("template");
  holder.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true">${shapes}</svg>`;
  return holder.content;
}

function button(name, title, shapes, action) {
  const element = document.createElement("button");
  element.type = "button";
  element.className = name;
  element.setAttribute("aria-label", title);
  element.append(svg(shapes));
  element.addEventListener("click", action);
  return element;
}

class Clip {
  constructor(holder, video) {
    this.video = video;
    // Without a source, the browser requests nothing.
    this.source = video.getAttribute("src");
    this.unload();
    video.preload = "auto";
    video.controls = false;
    video.tabIndex = -1;
    video.muted = sound.isMuted;
    this.toggleButton = button("toggle", "Play", PLAY, () => this.toggle());
    this.position = Object.assign(document.createElement("input"), { type: "range", min: 0, max: 1000, value: 0 });
    this.position.setAttribute("aria-label", "Position");
    this.position.addEventListener("input", () => {
      this.load();
      if (video.duration > 0) video.currentTime = video.duration * this.position.value / 1000;
    });
    const strip = document.createElement("div");
    strip.className = "strip";
    strip.append(this.position, button("sound", "Muted", SOUND, () => { sound.isMuted = !sound.isMuted; }));
    label(strip.lastChild);
    holder.append(this.toggleButton, strip);
    for (const name of ["play", "pause", "ended", "emptied"]) video.addEventListener(name, () => this.show());
    video.addEventListener("timeupdate", () => this.updatePosition());
    const failure = Object.assign(document.createElement("p"), { className: "trouble", textContent: "This clip cannot be played." });
    failure.setAttribute("role", "status");
    video.addEventListener("error", () => holder.append(failure));
    video.addEventListener("loadeddata", () => failure.remove());
    this.updatePosition();
  }

  /** The browser fetches the MP4 in byte ranges as it needs them. Loads again after an error. */
  load() {
    if (!this.video.hasAttribute("src") || this.video.error) this.video.src = this.source;
  }

  /** Stops fetching and shows the poster. */
  unload() {
    this.video.removeAttribute("src");
    this.video.load();
  }

  play() {
    this.video.dataset.wanted = "play";
    this.load();
    this.video.play().catch((error) => {
      // Browsers block audio until the visitor interacts with the page.
      if (error.name !== "NotAllowedError" || this.video.muted) return;
      this.video.muted = true;
      this.video.play().catch(() => {});
    });
  }

  pause() {
    delete this.video.dataset.wanted;
    this.video.pause();
  }

  toggle() { if (this.video.paused) this.play(); else this.pause(); }

  leave() {
    this.pause();
    this.unload();
  }

  show() {
    const isPlaying = !this.video.paused && !this.video.ended;
    this.toggleButton.toggleAttribute("data-playing", isPlaying);
    this.toggleButton.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    this.updatePosition();
  }

  updatePosition() {
    const { currentTime, duration } = this.video, whole = Number.isFinite(duration) ? duration : 0;
    this.position.value = whole > 0 ? Math.round(currentTime / whole * 1000) : 0;
    this.position.setAttribute("aria-valuetext", whole > 0 ? `${clock(currentTime)} of ${clock(whole)}` : "at the start");
  }
}

export class Stage {
  constructor(post, { loops }) {
    this.post = post;
    this.row = post.querySelector(".clips");
    this.holders = [...post.querySelectorAll(".clip")];
    this.clips = this.holders.map((holder) => {
      const video = holder.querySelector("video");
      if (!video) return null;
      video.loop = loops;
      return new Clip(holder, video);
    });
    this.dots = [...post.querySelectorAll(".dots a")];
    this.at = 0;
    this.isInView = false;
    this.mark();
    for (const [index, dot] of this.dots.entries()) {
      dot.addEventListener("click", (event) => {
        event.preventDefault();
        this.go(index);
      });
    }
    // Ignores the clips that the user scrolls past.
    let scrollTimer;
    this.row.addEventListener("scroll", () => {
      clearTimeout(scrollTimer);
      scrollTimer = setTimeout(() => {
        const index = Math.round(this.row.scrollLeft / Math.max(1, this.row.clientWidth));
        if (index !== this.at) this.settle(Math.min(Math.max(index, 0), this.clips.length - 1));
      }, 80);
    }, { passive: true });
  }

  get clip() { return this.clips[this.at]; }
  get isSeries() { return this.clips.length > 1; }

  /** Called when the highlight comes into view. */
  enter({ plays }) {
    this.isInView = true;
    this.plays = plays;
    if (plays) this.clip?.play();
  }

  /** Called when a different highlight comes into view. Stops all loading. */
  leave() {
    this.isInView = false;
    for (const clip of this.clips) clip?.leave();
  }

  go(index) {
    if (index < 0 || index >= this.clips.length) return;
    this.row.scrollTo({ left: index * this.row.clientWidth });
    this.settle(index);
  }

  settle(index) {
    const wasPlaying = this.clip?.video.dataset.wanted === "play";
    if (index !== this.at) this.clip?.leave();
    this.at = index;
    this.mark();
    if (this.isInView && (wasPlaying || this.plays)) this.clip?.play();
  }

  mark() {
    for (const [index, dot] of this.dots.entries()) {
      if (index === this.at) dot.setAttribute("aria-current", "true"); else dot.removeAttribute("aria-current");
    }
    // Clips out of view can't get the keyboard focus.
    for (const [index, holder] of this.holders.entries()) holder.inert = index !== this.at;
  }
}
