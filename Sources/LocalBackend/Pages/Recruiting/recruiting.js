// Enhances the pages of recruiting: the time zone, filters, and lists that grow while scrolling.

import { announce } from "./forms.js";

/** The server formats times, so it needs the browser's time zone. It is sent with the next requests. */
function sendZone() {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone, shown = document.body.dataset.zone;
  if (!shown || !zone || zone === shown || document.cookie.includes(`bsc_zone=${zone}`)) return;
  document.cookie = `bsc_zone=${zone}; Path=/; SameSite=Strict; Max-Age=31536000`;
  // A form that the user has sent must not be sent again.
  const isFresh = performance.getEntriesByType("navigation")[0]?.type !== "reload";
  if (isFresh && document.cookie.includes(`bsc_zone=${zone}`) && document.body.dataset.method === "GET") location.reload();
}

/** On a phone, the filters are closed, and the current page of the navigation may be outside of the window. */
function startLayout() {
  const box = document.getElementById("filter-box");
  if (box && matchMedia("(min-width: 641px)").matches) box.open = true;
  document.querySelector(".sections [aria-current]")?.scrollIntoView({ behavior: "instant", block: "nearest", inline: "center" });
}

/** A selected filter applies at once, and addresses contain only filters that are set. */
function startFilters() {
  for (const form of document.querySelectorAll("form[data-filters]")) {
    form.addEventListener("change", (event) => { if (event.target.matches("select")) form.requestSubmit(); });
    form.addEventListener("submit", () => {
      for (const field of form.elements) if (field.name && !field.value) field.disabled = true;
      // The fields work again when the user returns to the page.
      setTimeout(() => { for (const field of form.elements) field.disabled = false; });
    });
  }
}

/** The field for notes has the focus when the user opens it. Cancel restores the text, and closes it. */
function startNotes() {
  document.addEventListener("click", (event) => {
    const notes = event.target.closest("summary")?.parentElement;
    // The browser opens it after this event.
    if (notes && !notes.open) setTimeout(() => notes.querySelector("[name=notes]")?.focus());
  });
  document.addEventListener("reset", (event) => {
    const notes = event.target.elements.notes && event.target.closest("details");
    if (!notes) return;
    notes.open = false;
    notes.querySelector("summary").focus();
  });
}

/** Why the next part of a list could not be loaded. */
function failureText(error, list) {
  if (error.name === "TimeoutError") return "Connection timed out";
  if (error.status >= 500) return "Server error. Please try again.";
  return `Unable to load ${list.dataset.append}. Check your connection.`;
}

/** Shows why the list ends here, with a button or a link. */
function showLine(text, control) {
  const line = document.createElement("p");
  line.id = "load-failure";
  line.className = "notice";
  line.setAttribute("role", "alert");
  line.append(text, " ", control);
  document.getElementById("more-items").before(line);
  return line;
}

/** Shows that the session has ended. The address leads to the sign-in. */
function showSignIn(address) {
  const link = document.createElement("a");
  link.href = address;
  link.textContent = "Sign in";
  showLine("Your session has ended.", link);
}

/** Shows why the next part could not be loaded, with a button that tries again. */
function showFailure(list, link, text) {
  const retry = document.createElement("button"), line = showLine(text, retry);
  retry.type = "button";
  retry.className = "button quiet";
  retry.textContent = "Try again";
  retry.addEventListener("click", async (event) => {
    const hadFocus = document.activeElement === retry;
    line.remove();
    if (hadFocus) link.focus({ preventScroll: true });
    const items = await loadMore(list, link, event.isTrusted);
    const next = document.querySelector("#load-failure :is(button, a)") ?? items?.[0]?.querySelector("a, button");
    if (hadFocus) next?.focus({ preventScroll: true });
  });
}

/** Adds the next part of a list, and returns its items. After the session has ended, only a click leads to the sign-in. */
async function loadMore(list, link, isClick = false) {
  try {
    const answer = await fetch(link.href, { signal: AbortSignal.timeout(30_000) });
    if (!answer.ok) throw Object.assign(new Error(), { status: answer.status });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html"), more = page.getElementById("more-items");
    if (!more) return void (isClick ? location.assign(link.href) : showSignIn(link.href));
    const items = [...page.querySelectorAll("#items > *")].filter((item) => !document.getElementById(item.id));
    for (const item of items) list.append(document.adoptNode(item));
    document.getElementById("more-items").replaceWith(document.adoptNode(more));
    announce(`${items.length} more ${list.dataset.append}`);
    watchEnd();
    return items;
  } catch (error) {
    showFailure(list, link, failureText(error, list));
  }
}

function watchEnd() {
  const list = document.querySelector("[data-append]"), link = document.querySelector("#more-items a[rel=next]");
  if (!list || !link) return;
  new IntersectionObserver(([entry], observer) => {
    if (!entry.isIntersecting) return;
    observer.disconnect();
    loadMore(list, link);
  }, { rootMargin: "100%" }).observe(link);
}

/** While offline, shows a notice and disables syncs. When online again, loads the rest of a list that failed to load. */
function watchConnection() {
  const line = document.createElement("p");
  line.id = "offline";
  line.className = "notice";
  const update = () => {
    const isOffline = !navigator.onLine;
    for (const button of document.querySelectorAll("#sync, button[form=sync-form]")) {
      if (!button.hasAttribute("data-busy")) button.disabled = isOffline;
    }
    if (isOffline === line.isConnected) return;
    line.textContent = "You are offline. This page may not be up to date.";
    if (isOffline) document.getElementById("main").prepend(line);
    else line.remove();
    announce(isOffline ? line.textContent : "You are online again.");
    if (!isOffline) document.querySelector("#load-failure button")?.click();
  };
  addEventListener("online", update);
  addEventListener("offline", update);
  update();
}

sendZone();
startLayout();
startFilters();
startNotes();
watchEnd();
watchConnection();
const message = document.getElementById("sync-message");
if (message) setTimeout(() => { message.hidden = true; }, 5000);
// A second click must not start a second sync.
document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-once]")) return;
  for (const button of event.target.elements) {
    if (button.type !== "submit") continue;
    button.disabled = true;
    button.setAttribute("data-busy", "");
    button.textContent = button.dataset.busyLabel;
  }
});
