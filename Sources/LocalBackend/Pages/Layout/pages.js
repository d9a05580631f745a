// Enhances the pages. Without scripts, everything works through links and forms.

import { Stage, sound } from "./stage.js";
import { announce, startForms } from "./forms.js";
import { startKeys } from "./keys.js";
import { startQueue } from "./queue.js";
import { startLive } from "./live.js";
import { startViews } from "./views.js";
import { startSearch } from "./search.js";
import { startAvatar } from "./avatar.js";
import { like, startGestures } from "./gestures.js";
import { startSheet } from "./sheet.js";
import { startAuthor } from "./author.js";

// Hides images of deleted clips; the plain background looks better than a broken image.
function hideBroken(image) { image.hidden = true; }
document.addEventListener("error", (event) => { if (event.target instanceof HTMLImageElement) hideBroken(event.target); }, true);
for (const image of document.images) if (image.complete && !image.naturalWidth) hideBroken(image);

const reducesMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
const stages = new Map();
let current = null;

function enter(post) {
  if (post === current) return;
  stages.get(current)?.leave();
  current = post;
  stages.get(post)?.enter({ plays: !reducesMotion });
}

/** Shows relative times: "3 hours ago". */
function showRelativeTimes(root) {
  const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  for (const time of root.querySelectorAll("time[datetime]:not([data-exact])")) {
    const date = new Date(time.dateTime), seconds = (date - Date.now()) / 1000;
    if (Number.isNaN(seconds)) continue;
    time.title = date.toLocaleString();
    const [unit, size] = [["day", 86400], ["hour", 3600], ["minute", 60]].find(([, size]) => -seconds >= size) ?? ["second", 1];
    time.textContent = -seconds > 30 * 86400 ? date.toLocaleDateString("en", { dateStyle: "medium" })
      : -seconds < 45 ? "just now" : words.format(Math.round(seconds / size), unit);
  }
}

// The feed

const feed = document.getElementById("feed"), single = document.getElementById("single");

const inView = new IntersectionObserver((entries) => {
  const seen = entries.filter((entry) => entry.isIntersecting).sort((one, other) => other.intersectionRatio - one.intersectionRatio)[0];
  if (!seen) return;
  const post = seen.target.closest(".post");
  enter(post);
  // Returning to the page leads to this highlight again.
  history.replaceState(null, "", `${post.dataset.page}#${post.id}`);
}, { threshold: 0.6 });

function add(posts, page) {
  for (const post of posts) {
    post.dataset.page = page;
    stages.set(post, new Stage(post, { loops: true }));
    inView.observe(post.querySelector(".stage"));
  }
}

async function loadMore(link) {
  if (link.dataset.busy) return;
  link.dataset.busy = "yes";
  try {
    const answer = await fetch(link.href);
    if (!answer.ok) throw new Error(`${answer.status}`);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const known = new Set([...feed.children].map((post) => post.id));
    const posts = [...page.querySelectorAll(".feed .post")].filter((post) => !known.has(post.id));
    for (const post of posts) feed.append(document.adoptNode(post));
    showRelativeTimes(feed);
    add(posts, page.getElementById("feed")?.dataset.page ?? location.pathname);
    document.getElementById("more").replaceWith(document.adoptNode(page.getElementById("more")));
    watchEnd();
    announce(`${posts.length} more highlights`);
  } catch {
    delete link.dataset.busy;
    announce("The server is not responding. Is bsc serve running?", { isShown: true });
  }
}

function watchEnd() {
  const link = document.querySelector("#more a[rel=next]");
  if (!link) return;
  new IntersectionObserver(([entry], observer) => {
    if (!entry.isIntersecting) return;
    observer.disconnect();
    loadMore(link);
  }, { rootMargin: "150%" }).observe(link);
}

if (feed) {
  add([...feed.querySelectorAll(".post")], feed.dataset.page);
  watchEnd();
} else if (single) {
  const post = single.querySelector(".post");
  stages.set(post, new Stage(post, { loops: false }));
  enter(post);
}
document.addEventListener("visibilitychange", () => {
  const stage = stages.get(current);
  if (document.hidden) stage?.clip?.video.pause();
  else if (stage?.clip?.video.dataset.wanted) stage.clip.play();
});
// A double tap likes a highlight.
document.addEventListener("dblclick", (event) => {
  const post = event.target.closest(".toggle")?.closest(".post");
  if (post?.querySelector("button.like[aria-pressed=false]")) like(post);
});

/** Scrolls to the next or previous highlight. */
function move(step) {
  const posts = [...document.querySelectorAll(".post")], next = posts[posts.indexOf(current) + step];
  const target = next ?? (step > 0 ? document.getElementById("more") : null);
  target?.scrollIntoView({ behavior: reducesMotion ? "instant" : "smooth", block: "start" });
}

// Sharing links

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-share]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const url = link.href;
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) await navigator.share({ url });
    else {
      await navigator.clipboard.writeText(url);
      announce("Link copied", { isShown: true });
    }
  } catch (error) {
    if (error.name !== "AbortError") announce(url, { isShown: true });
  }
});

// The owner's sign-in form is submitted automatically.
document.getElementById("enter")?.requestSubmit();

document.addEventListener("click", (event) => {
  const menu = document.getElementById("menu");
  if (menu?.open && !menu.contains(event.target)) menu.open = false;
});

showRelativeTimes(document);
startForms({ updated: showRelativeTimes });
startKeys({ feed, stage: () => stages.get(current), current: () => current, sound, move });
startGestures({ video: () => stages.get(current)?.clip?.video, isSeries: () => stages.get(current)?.isSeries, move });
startSheet({ feed, updated: showRelativeTimes });
startQueue();
startLive({ updated: showRelativeTimes });
startViews();
startSearch();
startAvatar();
startAuthor({ clip: () => stages.get(current)?.clip });
