// Single-key shortcuts. They can be turned off, because speech input may trigger them.

import { recall, remember } from "./memory.js";
import { showOptions, toggleZoom } from "./gestures.js";

const KEYS = [
  ["J or ↓", "next highlight"], ["K or ↑", "previous highlight"], ["← →", "previous or next clip"], ["Space", "play or pause"],
  ["M", "mute or unmute"], ["L", "like"], ["C", "comments"], ["O", "options"], ["Z", "zoom in or out"], ["?", "show this list"],
];

function shortcutDialog() {
  const existing = document.getElementById("keys");
  if (existing) return existing;
  const dialog = document.createElement("dialog");
  dialog.id = "keys";
  dialog.setAttribute("aria-labelledby", "keys-title");
  const rows = KEYS.map(([key, what]) => `<dt><kbd>${key}</kbd></dt><dd>${what}</dd>`).join("");
  dialog.innerHTML = `<h2 id="keys-title">Keyboard shortcuts</h2><dl>${rows}</dl>`
    + '<label><input type="checkbox" id="keys-on"> Enable single-key shortcuts</label>'
    + '<form method="dialog"><button class="button">Close</button></form>';
  document.body.append(dialog);
  const box = dialog.querySelector("input");
  box.checked = areEnabled();
  box.addEventListener("change", () => remember("keys", box.checked ? "on" : "off"));
  return dialog;
}

const areEnabled = () => recall("keys") !== "off";

export function startKeys({ feed, stage, current, sound, move }) {
  const actions = {
    j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1),
    " ": () => stage()?.clip?.toggle(),
    o: () => showOptions(current(), stage()?.clip?.video),
    z: () => toggleZoom(stage()?.clip?.video),
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
      return shortcutDialog().showModal();
    }
    const isPlain = event.key.length === 1;
    if (isPlain && event.key !== " " && !areEnabled()) return;
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
