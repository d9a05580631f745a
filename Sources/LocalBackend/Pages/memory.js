// What somebody chose, as long as the browser lets pages remember anything.

const here = new Map();

export function recall(name) {
  try { return localStorage.getItem(`bsc-${name}`) ?? here.get(name) ?? null; } catch { return here.get(name) ?? null; }
}

export function remember(name, value) {
  here.set(name, value);
  try { localStorage.setItem(`bsc-${name}`, value); } catch { /* Then for this page. */ }
}
