// Shows the uploads of this computer live. Reconnects automatically.

export function startQueue() {
  const state = document.getElementById("queue-state");
  if (!state || !globalThis.EventSource) return;
  const body = document.querySelector("#queue tbody");
  let source = null;
  let isEnding = false;

  function show(event) {
    const holder = document.createElement("template");
    holder.innerHTML = `<table><tbody>${event.data}</tbody></table>`;
    const fresh = [...holder.content.querySelectorAll("tr")];
    const kept = new Set(fresh.map((row) => row.dataset.row));
    for (const row of [...body.rows]) if (!kept.has(row.dataset.row)) row.remove();
    for (const [index, row] of fresh.entries()) {
      const existing = body.querySelector(`tr[data-row="${CSS.escape(row.dataset.row)}"]`);
      if (existing && existing.innerHTML !== row.innerHTML) existing.innerHTML = row.innerHTML;
      const target = existing ?? document.adoptNode(row);
      if (body.rows[index] !== target) body.insertBefore(target, body.rows[index] ?? null);
    }
  }

  function connect() {
    source = new EventSource(state.dataset.events);
    source.addEventListener("open", () => { state.textContent = "This list matches bsc jobs and updates automatically."; });
    source.addEventListener("queue", show);
    source.addEventListener("ending", () => {
      isEnding = true;
      state.textContent = "The server has stopped. To continue, run: bsc serve";
    });
    source.addEventListener("error", () => {
      if (!isEnding) state.textContent = "The server is not responding. Retrying…";
    });
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
