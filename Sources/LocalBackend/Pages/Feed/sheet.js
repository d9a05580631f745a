// Shows comments and options over the playing video. Without scripts, they are on the highlight's page.

function openSheet(title, ...content) {
  const dialog = document.createElement("dialog");
  dialog.className = "sheet";
  dialog.setAttribute("aria-label", title);
  const close = Object.assign(document.createElement("button"), { type: "button", className: "button quiet close", textContent: "Close" });
  close.addEventListener("click", () => dialog.close());
  const status = Object.assign(document.createElement("p"), { className: "status" });
  status.setAttribute("role", "status");
  dialog.append(close, status, ...content);
  // A click outside closes the sheet.
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  const opener = document.activeElement;
  dialog.addEventListener("close", () => {
    dialog.remove();
    // Sending a comment replaces the link that opened the sheet.
    (opener?.isConnected ? opener : document.getElementById(opener?.id))?.focus({ preventScroll: true });
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

async function openComments(link, updated) {
  try {
    const answer = await fetch(link.href.split("#")[0]);
    const comments = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("comments");
    if (!answer.ok || !comments) throw new Error(`${answer.status}`);
    updated(openSheet("Comments", document.adoptNode(comments)));
  } catch {
    location.assign(link.href);
  }
}

/** Shows what a long press offers. `actions` has the entries as pairs of a title and a function. */
export function openOptions(actions) {
  const list = document.createElement("ul");
  list.className = "options";
  for (const [title, action] of actions) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "plain", textContent: title });
    button.addEventListener("click", () => {
      document.querySelector("dialog.sheet")?.close();
      action();
    });
    const item = document.createElement("li");
    item.append(button);
    list.append(item);
  }
  openSheet("Options", list);
}

export function startSheet({ feed, updated }) {
  if (!feed) return;
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a.talk");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openComments(link, updated);
  });
}
