// One key for what one does most. They can be turned off: some people's speech is heard as keys.

import { recall, remember } from "./memory.js";

const KEYS = [
  ["J or ↓", "next highlight"], ["K or ↑", "the one before"], ["← →", "other clips of a highlight"], ["Space", "play, pause"],
  ["M", "sound on, off"], ["L", "like"], ["C", "comments"], ["?", "these keys"],
];

function dialog() {
  const found = document.getElementById("keys");
  if (found) return found;
  const made = document.createElement("dialog");
  made.id = "keys";
  made.setAttribute("aria-labelledby", "keys-title");
  const rows = KEYS.map(([key, what]) => `<dt><kbd>${key}</kbd></dt><dd>${what}</dd>`).join("");
  made.innerHTML = `<h2 id="keys-title">Keys</h2><dl>${rows}</dl>`
    + '<label><input type="checkbox" id="keys-on"> Single keys work</label>'
    + '<form method="dialog"><button class="button">Close</button></form>';
  document.body.append(made);
  const box = made.querySelector("input");
  box.checked = areOn();
  box.addEventListener("change", () => remember("keys", box.checked ? "on" : "off"));
  return made;
}

const areOn = () => recall("keys") !== "off";

export function startKeys({ feed, stage, posts, current, sound, isCalm }) {
  const move = (step) => {
    const all = posts(), next = all[all.indexOf(current()) + step];
    const target = next ?? (step > 0 ? document.getElementById("more") : null);
    target?.scrollIntoView({ behavior: isCalm ? "instant" : "smooth", block: "start" });
  };
  const actions = {
    j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1),
    " ": () => stage()?.clip?.toggle(),
    m: () => { sound.isMuted = !sound.isMuted; },
    l: () => current()?.querySelector(".like")?.click(),
    c: () => {
      const field = document.getElementById("text");
      if (field) field.focus(); else current()?.querySelector(".talk")?.click();
    },
    ArrowLeft: () => stage()?.go(stage().at - 1), ArrowRight: () => stage()?.go(stage().at + 1),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (event.target.matches("input, textarea, select, [contenteditable]")) return;
    if (event.key === "?") {
      event.preventDefault();
      return dialog().showModal();
    }
    const isPlain = event.key.length === 1;
    if (isPlain && event.key !== " " && !areOn()) return;
    if (event.key === " " && event.target.closest("button, a, summary")) return;
    if (event.key.startsWith("Arrow") && (event.target.closest("[role=region], summary") || !current())) return;
    if (!feed && ["ArrowUp", "ArrowDown", "j", "k"].includes(event.key)) return;
    if (event.key.startsWith("ArrowL") || event.key.startsWith("ArrowR")) { if (!stage()?.isSeries) return; }
    const action = actions[isPlain ? event.key.toLowerCase() : event.key];
    if (!action || !current()) return;
    event.preventDefault();
    action();
  });
}
