// The uploads of this machine, as they go on. Connects again by itself.

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
    for (const [place, row] of fresh.entries()) {
      const here = body.querySelector(`tr[data-row="${CSS.escape(row.dataset.row)}"]`);
      if (here && here.innerHTML !== row.innerHTML) here.innerHTML = row.innerHTML;
      const right = here ?? document.adoptNode(row);
      if (body.rows[place] !== right) body.insertBefore(right, body.rows[place] ?? null);
    }
  }

  function connect() {
    source = new EventSource(state.dataset.events);
    source.addEventListener("open", () => { state.textContent = "What bsc jobs lists, as it happens."; });
    source.addEventListener("queue", show);
    source.addEventListener("ending", () => {
      isEnding = true;
      state.textContent = "The server has ended. Start it again, and this goes on: bsc serve";
    });
    source.addEventListener("error", () => {
      if (!isEnding) state.textContent = "The server does not answer; trying again.";
    });
  }

  // A browser has six connections to a server for all its tabs: nobody looks at a hidden one.
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
