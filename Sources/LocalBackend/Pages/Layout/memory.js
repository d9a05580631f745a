// Stores the visitor's settings in the browser, or in memory if the browser allows no storage.

const settings = new Map();

export function recall(name) {
  try { return localStorage.getItem(`bsc-${name}`) ?? settings.get(name) ?? null; } catch { return settings.get(name) ?? null; }
}

export function remember(name, value) {
  settings.set(name, value);
  try { localStorage.setItem(`bsc-${name}`, value); } catch { /* Kept for this page only. */ }
}
