// Crops a picture to a square before the upload. Without scripts, the picture is sent as it is.

import { announce } from "./forms.js";

const SIZE = 512;

/** The square of a picture that is shown: its center and its side, in pixels of the picture. */
class Crop {
  constructor(picture, canvas) {
    this.picture = picture;
    this.canvas = canvas;
    this.shortest = Math.min(picture.width, picture.height);
    this.zoom = 1;
    this.x = picture.width / 2;
    this.y = picture.height / 2;
    this.draw();
  }

  get side() { return this.shortest / this.zoom; }

  move(x, y) {
    const half = this.side / 2;
    this.x = Math.min(Math.max(this.x + x, half), this.picture.width - half);
    this.y = Math.min(Math.max(this.y + y, half), this.picture.height - half);
    this.draw();
  }

  setZoom(zoom) {
    this.zoom = zoom;
    this.move(0, 0);
  }

  draw() {
    const { side, canvas } = this, context = canvas.getContext("2d");
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(this.picture, this.x - side / 2, this.y - side / 2, side, side, 0, 0, canvas.width, canvas.height);
  }
}

export function startAvatar() {
  const form = document.getElementById("avatar-form");
  if (!form) return;
  const area = document.getElementById("crop"), canvas = area.querySelector("canvas"), zoom = document.getElementById("zoom-field");
  const file = form.elements.file;
  let crop = null, last = null;
  canvas.width = canvas.height = SIZE;

  file.addEventListener("change", async () => {
    area.hidden = true;
    crop = null;
    if (!file.files[0]) return;
    try {
      crop = new Crop(await createImageBitmap(file.files[0]), canvas);
      zoom.value = 1;
      area.hidden = false;
    } catch {
      announce("The picture must be a JPEG, PNG or WebP file.", { isShown: true });
    }
  });
  zoom.addEventListener("input", () => crop?.setZoom(Number(zoom.value)));
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    last = event;
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!crop || !last) return;
    const scale = crop.side / canvas.clientWidth;
    crop.move((last.clientX - event.clientX) * scale, (last.clientY - event.clientY) * scale);
    last = event;
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => { last = null; });
  canvas.addEventListener("keydown", (event) => {
    const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [];
    if (!crop || x === undefined) return;
    event.preventDefault();
    crop.move(x * crop.side / 20, y * crop.side / 20);
  });

  form.addEventListener("submit", async (event) => {
    if (!crop || event.submitter?.name === "remove") return;
    event.preventDefault();
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.9));
    const fields = new FormData();
    fields.append("token", form.elements.token.value);
    fields.append("file", blob, "avatar.jpg");
    try {
      const answer = await fetch(form.action, { method: "POST", body: fields });
      if (answer.ok) return location.assign("/settings");
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      announce(page.getElementById("notice")?.textContent ?? "The server rejected the picture.", { isShown: true });
    } catch {
      announce("The server is not responding. Is bsc serve running?", { isShown: true });
    }
  });
}
