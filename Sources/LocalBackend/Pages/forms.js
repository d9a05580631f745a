// Forms that are sent without leaving the page: the answer is the page that one would have come to, and its parts take the
// places of the parts that are here.

let hiding;

/** Says it to screen readers, and on the screen if asked to. */
export function tell(text, { isShown = false } = {}) {
  document.getElementById("live").textContent = text;
  if (!isShown) return;
  const toast = document.getElementById("toast");
  toast.textContent = text;
  toast.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => { toast.hidden = true; }, 5000);
}

function replaceRegions(page, { keepsWords }) {
  const focused = document.activeElement?.id, words = document.getElementById("text")?.value;
  for (const fresh of page.querySelectorAll("[data-region]")) {
    const here = document.getElementById(fresh.id);
    if (here) here.replaceWith(document.adoptNode(fresh));
  }
  // Half a comment outlives a like.
  const field = document.getElementById("text");
  if (keepsWords && field && words) field.value = words;
  if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

async function send(form, updated) {
  if (form.dataset.busy) return;
  form.dataset.busy = "yes";
  const like = form.querySelector("button.like");
  if (like) {
    // At once; the answer says how it really is.
    like.setAttribute("aria-pressed", `${like.getAttribute("aria-pressed") !== "true"}`);
    like.classList.add("beat");
  }
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!answer.ok) {
      if (like) like.setAttribute("aria-pressed", `${like.getAttribute("aria-pressed") !== "true"}`);
      return tell(page.getElementById("notice")?.textContent ?? "The server did not take it.", { isShown: true });
    }
    replaceRegions(page, { keepsWords: !form.classList.contains("write") });
    updated(document);
    const id = form.action.split("/h/")[1]?.split("/")[0];
    const button = document.getElementById(`like-${id}`);
    if (like && button) tell(button.getAttribute("aria-label"));
    else if (form.classList.contains("write")) tell("Your comment is there");
    else if (form.action.endsWith("/delete")) {
      tell("Your comment is deleted");
      document.getElementById("text")?.focus();
    } else tell(document.getElementById("follow")?.textContent ?? "Done");
  } catch {
    if (like) like.setAttribute("aria-pressed", `${like.getAttribute("aria-pressed") !== "true"}`);
    tell("The server does not answer. Is bsc serve still running?", { isShown: true });
  } finally {
    delete form.dataset.busy;
  }
}

/** Characters as people see them. */
const letters = Intl.Segmenter ? new Intl.Segmenter() : null;
const count = (text) => letters ? [...letters.segment(text)].length : [...text].length;

export function startForms({ updated }) {
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("form[data-live]")) return;
    event.preventDefault();
    send(event.target, updated);
  });
  document.addEventListener("input", (event) => {
    const most = Number(event.target.dataset?.most);
    if (!most) return;
    const left = most - count(event.target.value.trim());
    const words = document.getElementById(event.target.getAttribute("aria-describedby"));
    words.textContent = left >= 0 ? `${left} characters left` : `${-left} characters too many`;
    document.getElementById("send").disabled = left < 0;
  });
  // As everywhere: Enter makes a line, Control and Enter send.
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.matches("textarea")) event.target.form.requestSubmit();
  });
}
