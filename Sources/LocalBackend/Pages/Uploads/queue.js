// Shows the uploads of this computer live: all of them on their page, and the running one on the other pages.

/** Follows the events of a URL while the page is visible, and reconnects automatically. */
function follow(url, { open, queue, ending, error }) {
  let source = null;
  let isEnding = false;

  function connect() {
    source = new EventSource(url);
    source.addEventListener("open", () => {
      // A server that is stopping can still accept a connection.
      isEnding = false;
      open?.();
    });
    source.addEventListener("queue", (event) => {
      const holder = document.createElement("template");
      holder.innerHTML = `<table><tbody>${event.data}</tbody></table>`;
      queue([...holder.content.querySelectorAll("tr")]);
    });
    source.addEventListener("ending", () => {
      isEnding = true;
      ending?.();
    });
    source.addEventListener("error", () => { if (!isEnding) error?.(); });
  }

  // A browser allows six connections per server for all its tabs, so hidden tabs disconnect.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden && source) {
      source.close();
      source = null;
    } else if (!document.hidden && !source) {
      connect();
    }
  });
  if (!document.hidden) connect();
}

/** Replaces the rows that changed. */
function showRows(body, fresh) {
  const kept = new Set(fresh.map((row) => row.dataset.row));
  for (const row of [...body.rows]) if (!kept.has(row.dataset.row)) row.remove();
  for (const [index, row] of fresh.entries()) {
    const existing = body.querySelector(`tr[data-row="${CSS.escape(row.dataset.row)}"]`);
    if (existing && existing.innerHTML !== row.innerHTML) existing.innerHTML = row.innerHTML;
    const target = existing ?? document.adoptNode(row);
    if (body.rows[index] !== target) body.insertBefore(target, body.rows[index] ?? null);
  }
}

/** Shows the first running upload, then its result until the next page or upload. */
function startBanner(banner) {
  const link = banner.querySelector("a"), progress = banner.querySelector("progress");
  let shown = null;
  follow(banner.dataset.events, {
    queue(rows) {
      const running = rows.find((row) => row.hasAttribute("data-running"));
      const row = running ?? rows.find((row) => row.dataset.row === shown);
      if (!row) return;
      shown = row.dataset.row;
      const clip = row.querySelector("th").textContent, result = row.querySelector("a")?.getAttribute("href");
      const sent = row.querySelector("progress");
      link.href = !running && result ? result : "/uploads";
      link.textContent = running ? `${clip}: ${row.querySelector(".badge").textContent}`
        : result ? `${clip} is shared. Watch it` : `${clip} is not shared. Show why`;
      progress.hidden = !running || !sent;
      if (sent) progress.value = sent.value;
      banner.hidden = false;
    },
    error() { banner.hidden = true; },
    ending() { banner.hidden = true; },
  });
}

export function startQueue() {
  if (!globalThis.EventSource) return;
  const state = document.getElementById("queue-state"), banner = document.getElementById("upload");
  if (!state) {
    if (banner) startBanner(banner);
    return;
  }
  const body = document.querySelector("#queue tbody");
  follow(state.dataset.events, {
    open() { state.textContent = "This list matches bsc jobs and updates automatically."; },
    queue(rows) { showRows(body, rows); },
    ending() { state.textContent = "The server has stopped. To continue, run: bsc serve"; },
    error() { state.textContent = "The server is not responding. Retrying…"; },
  });
}
