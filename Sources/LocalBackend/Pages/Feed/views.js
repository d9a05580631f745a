// Reports how long highlights were watched, for their authors. A highlight counts once per viewer and hour.

const watched = new Map(), sent = new Map();

/** The seconds of a highlight's clips that were played, without repetitions. */
function playedSeconds(post) {
  let seconds = 0;
  for (const { played } of post.querySelectorAll("video")) for (let index = 0; index < played.length; index++) seconds += played.end(index) - played.start(index);
  return seconds;
}

function report() {
  for (const [id, seconds] of watched) {
    if (seconds < 1 || seconds <= (sent.get(id) ?? 0)) continue;
    sent.set(id, seconds);
    navigator.sendBeacon(`/h/${id}/view`, new URLSearchParams({ token: document.body.dataset.token, watched: seconds.toFixed(1) }));
  }
}

export function startViews() {
  document.addEventListener("timeupdate", (event) => {
    const post = event.target.closest(".post");
    if (post) watched.set(post.dataset.id, Math.max(watched.get(post.dataset.id) ?? 0, playedSeconds(post)));
  }, true);
  document.addEventListener("visibilitychange", () => { if (document.hidden) report(); });
  addEventListener("pagehide", report);
  setInterval(report, 10000);
}
