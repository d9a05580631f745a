// Helps with the forms for an own highlight: a preview of the part to keep, and suggestions of tags.

import { announce } from "./forms.js";

function startTrim(form, clip) {
  const { from, to } = form.elements, video = () => clip()?.video;
  const add = (title, action) => {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "button quiet", textContent: title });
    button.addEventListener("click", action);
    form.querySelector(".row").append(button);
  };
  const seconds = () => (Math.round((video()?.currentTime ?? 0) * 10) / 10).toFixed(1);
  add("Preview", () => {
    const shown = video();
    if (!shown) return;
    clip().play();
    const begin = () => { shown.currentTime = Number(from.value); };
    if (shown.readyState > 0) begin(); else shown.addEventListener("loadedmetadata", begin, { once: true });
    const stop = () => {
      if (shown.currentTime < Number(to.value)) return;
      clip().pause();
      shown.removeEventListener("timeupdate", stop);
      announce("End of the part");
    };
    shown.addEventListener("timeupdate", stop);
  });
  add("Start here", () => { from.value = seconds(); });
  add("End here", () => { to.value = seconds(); });
}

function startTags(field) {
  const list = document.getElementById("tag-suggestions");
  let timer, request;
  const suggest = async () => {
    const word = field.value.split(/[\s,]/).at(-1).replaceAll("#", "");
    request?.abort();
    request = new AbortController();
    try {
      const answer = await fetch(`/rest/v1/rpc/search_tags?max_rows=8&query=${encodeURIComponent(word)}`, { signal: request.signal });
      const known = new Set(field.value.toLowerCase().split(/[\s,#]+/));
      const names = (answer.ok ? await answer.json() : []).map((tag) => tag.name).filter((name) => !known.has(name));
      list.replaceChildren(...names.map((name) => {
        const button = Object.assign(document.createElement("button"), { type: "button", className: "button quiet", textContent: `#${name}` });
        button.addEventListener("click", () => {
          field.value = `${field.value.replace(/[^\s,]*$/, "")}#${name} `;
          field.focus();
          suggest();
        });
        return button;
      }));
    } catch { /* Without suggestions, tags can be typed. */ }
  };
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(suggest, 150);
  });
  field.addEventListener("focus", () => { if (!list.children.length) suggest(); });
}

export function startAuthor({ clip }) {
  const form = document.querySelector("form[data-trim]"), field = document.getElementById("tags-field");
  if (form) startTrim(form, clip);
  if (field) startTags(field);
}
