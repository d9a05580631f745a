// Touch gestures on a highlight. Each has a key: L likes, J skips, O shows the options, Z zooms.

import { openOptions } from "./sheet.js";

const SWIPE = 60, STILL = 10, LONG_PRESS = 500, MOST_ZOOM = 4;

/** Likes a highlight that isn't liked, and shows a heart. */
export function like(post) {
  post?.querySelector("button.like[aria-pressed=false]")?.click();
  const stage = post?.querySelector(".stage");
  if (!stage || !post.querySelector("button.like")) return;
  const heart = Object.assign(document.createElement("span"), { className: "burst", textContent: "♥" });
  heart.setAttribute("aria-hidden", "true");
  heart.addEventListener("animationend", () => heart.remove());
  stage.append(heart);
  setTimeout(() => heart.remove(), 1000);
}

function setZoom(video, zoom, x = 0.5, y = 0.5) {
  video.dataset.zoom = zoom;
  video.style.transformOrigin = `${x * 100}% ${y * 100}%`;
  video.style.transform = zoom > 1 ? `scale(${zoom})` : "";
}

export function toggleZoom(video) {
  if (video) setZoom(video, Number(video.dataset.zoom ?? 1) > 1 ? 1 : 2);
}

export function showOptions(post, video) {
  if (!post) return;
  const link = (selector) => post.querySelector(selector);
  const entries = [
    [link(".like[aria-pressed=true]") ? "Unlike" : "Like", link(".like")], ["Comments", link(".talk")], ["Share the link", link(".share")], ["Report", link("a[href^='/report']")],
  ];
  const actions = entries.filter(([, element]) => element).map(([title, element]) => [title, () => element.click()]);
  if (video) actions.push([Number(video.dataset.zoom ?? 1) > 1 ? "Zoom out" : "Zoom in", () => toggleZoom(video)]);
  openOptions(actions);
}

const distance = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);

export function startGestures({ video, isSeries, move }) {
  let start = null, pinch = null, timer, suppressesClick = false;
  const stageOf = (event) => event.target.closest?.(".stage");

  document.addEventListener("touchstart", (event) => {
    const stage = stageOf(event), post = stage?.closest(".post");
    clearTimeout(timer);
    start = null;
    suppressesClick = false;
    if (!stage || event.target.closest("a, .strip, .dots")) return;
    if (event.touches.length === 2 && video()) {
      pinch = { from: distance(event.touches), zoom: Number(video().dataset.zoom ?? 1) };
      return;
    }
    if (event.touches.length !== 1) return;
    start = { x: event.touches[0].clientX, y: event.touches[0].clientY, post };
    timer = setTimeout(() => {
      start = null;
      suppressesClick = true;
      showOptions(post, video());
    }, LONG_PRESS);
  }, { passive: true });

  document.addEventListener("touchmove", (event) => {
    if (pinch && event.touches.length === 2) {
      const area = video().getBoundingClientRect(), [one, other] = event.touches;
      const zoom = Math.min(Math.max(pinch.zoom * distance(event.touches) / pinch.from, 1), MOST_ZOOM);
      const at = (middle, begin, length) => Math.min(Math.max((middle - begin) / length, 0), 1);
      setZoom(
        video(), zoom, at((one.clientX + other.clientX) / 2, area.left, area.width), at((one.clientY + other.clientY) / 2, area.top, area.height));
    } else if (start) {
      const [touch] = event.touches;
      if (Math.hypot(touch.clientX - start.x, touch.clientY - start.y) > STILL) clearTimeout(timer);
    }
  }, { passive: true });

  document.addEventListener("touchend", (event) => {
    clearTimeout(timer);
    if (pinch) {
      if (event.touches.length < 2) pinch = null;
      return;
    }
    if (!start || isSeries()) return;
    const [touch] = event.changedTouches, x = touch.clientX - start.x, y = touch.clientY - start.y;
    if (Math.abs(x) < SWIPE || Math.abs(x) < 2 * Math.abs(y)) return;
    if (x > 0) like(start.post); else move(1);
  });
  document.addEventListener("touchcancel", () => {
    clearTimeout(timer);
    start = pinch = null;
  });

  // The browser sends a click after a long press, too, which would close the options. Clicks of keys and scripts have no
  // detail.
  document.addEventListener("click", (event) => {
    if (!suppressesClick || !event.detail) return;
    suppressesClick = false;
    event.stopPropagation();
    event.preventDefault();
  }, true);
  document.addEventListener("contextmenu", (event) => {
    if (suppressesClick && stageOf(event)) event.preventDefault();
  });
}
