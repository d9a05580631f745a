// Sends forms without leaving the page. The response is the page that the form leads to; its regions replace the current
// ones.

let hideTimer;

/** Announces a text to screen readers, and optionally shows it. */
export function announce(text, { isShown = false } = {}) {
  // An open dialog makes the rest of the page inert.
  const status = document.querySelector("dialog[open] > .status");
  if (status) return void (status.textContent = text);
  document.getElementById("live").textContent = text;
  if (!isShown) return;
  const toast = document.getElementById("toast");
  toast.textContent = text;
  toast.hidden = false;
  clearTimeout(hideTimer);
  hideTimer = setTimeout(() => { toast.hidden = true; }, 5000);
}

/** Shows the response of a form. Texts that the user has not sent are kept, for instance when a like is sent. */
function replaceRegions(page, sent) {
  const focused = document.activeElement?.id;
  const open = [...document.querySelectorAll("details[open][id]")].map((details) => details.id);
  const texts = [...document.querySelectorAll("textarea[id]")].filter((field) => field.form !== sent && field.value);
  for (const fresh of page.querySelectorAll("[data-region]")) {
    document.getElementById(fresh.id)?.replaceWith(document.adoptNode(fresh));
  }
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  for (const old of texts) {
    const field = document.getElementById(old.id);
    // The response may have a newer text than one that the user has not changed.
    if (!field || (field.value && old.value === old.defaultValue)) continue;
    field.value = old.value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

async function send(form, button, updated) {
  if (form.dataset.busy) return;
  form.dataset.busy = "yes";
  const like = form.querySelector("button.like");
  if (like) {
    // Optimistic; the response has the actual state.
    like.setAttribute("aria-pressed", `${like.getAttribute("aria-pressed") !== "true"}`);
    like.classList.add("beat");
  }
  const fields = new URLSearchParams(new FormData(form));
  if (button?.name) fields.append(button.name, button.value);
  try {
    const answer = await fetch(form.action, { method: "POST", body: fields });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!answer.ok) {
      if (like) like.setAttribute("aria-pressed", `${like.getAttribute("aria-pressed") !== "true"}`);
      return announce(page.getElementById("notice")?.textContent ?? "The server rejected the request.", { isShown: true });
    }
    // A list that hides its item after the change, such as a list of flagged posts.
    const region = form.closest("[data-region]");
    if (region && !page.getElementById(region.id)) region.remove();
    replaceRegions(page, form);
    updated(document);
    const shown = like && document.getElementById(like.id);
    if (shown) announce(shown.getAttribute("aria-label"));
    else if (form.dataset.said) announce(form.dataset.said);
    else if (form.classList.contains("write")) announce("Comment posted");
    else if (form.action.endsWith("/delete")) {
      announce("Comment deleted");
      document.getElementById("text")?.focus();
    } else if (form.action.endsWith("/reactions")) announce(button?.name === "add" ? "Reaction added" : "Reaction removed");
    else announce(document.getElementById("follow")?.textContent ?? "Done");
  } catch {
    if (like) like.setAttribute("aria-pressed", `${like.getAttribute("aria-pressed") !== "true"}`);
    const reason = navigator.onLine ? "The server is not responding. Is bsc serve running?" : "You are offline. Nothing was sent.";
    announce(reason, { isShown: true });
  } finally {
    delete form.dataset.busy;
  }
}

/** Counts characters as perceived by users. */
const letters = Intl.Segmenter ? new Intl.Segmenter() : null;
const count = (text) => letters ? [...letters.segment(text)].length : [...text].length;

export function startForms({ updated }) {
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("form[data-live]")) return;
    event.preventDefault();
    send(event.target, event.submitter, updated);
  });
  document.addEventListener("input", (event) => {
    const most = Number(event.target.dataset?.most);
    if (!most) return;
    const left = most - count(event.target.value.trim());
    const counter = document.getElementById(event.target.getAttribute("aria-describedby"));
    counter.textContent = left >= 0 ? `${left} characters left` : `${-left} characters too many`;
    document.getElementById("send").disabled = left < 0;
  });
  // Enter inserts a line break; Control and Enter send the form.
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.matches("textarea")) event.target.form.requestSubmit();
  });
}
