// Shows new likes and comments of an open highlight. Without scripts, reloading the page shows them.

export function startLive({ updated }) {
  const page = document.getElementById("single");
  if (!page?.dataset.events || !globalThis.EventSource) return;
  let source = null;

  /** Replaces an element, and keeps the focus and opened details. */
  function replace(current, fresh) {
    if (!current || !fresh || current.innerHTML === fresh.innerHTML) return;
    const focused = current.contains(document.activeElement) ? document.activeElement.id : "";
    for (const open of current.querySelectorAll("details[open]")) fresh.querySelector(`#${CSS.escape(open.id)}`)?.setAttribute("open", "");
    current.replaceWith(document.adoptNode(fresh));
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  }

  function show(event) {
    const parts = new DOMParser().parseFromString(event.data, "text/html");
    // While a form is being sent, its response has the state.
    if (document.querySelector("form[data-busy]")) return;
    const actions = parts.querySelector(".actions");
    replace(document.getElementById(actions?.id), actions);
    // The form with an unfinished comment stays.
    for (const selector of ["#comments-title", "#comments .talk"]) replace(document.querySelector(selector), parts.querySelector(selector));
    if (parts.querySelector("#comments .talk li")) document.querySelector("#comments .none")?.remove();
    updated(document);
  }

  function connect() {
    source = new EventSource(page.dataset.events);
    source.addEventListener("parts", show);
    source.addEventListener("ending", () => source?.close());
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
