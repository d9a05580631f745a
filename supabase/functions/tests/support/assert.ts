/** Deep equality of JSON values, independent of the order of keys. */
export function equal(actual: unknown, expected: unknown, what = ""): void {
  const [left, right] = [actual, expected].map((value) => JSON.stringify(sorted(value), null, 1));
  if (left !== right) throw new Error(`${what}\n  is        ${left}\n  should be ${right}`);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map(([k, v]) => [k, sorted(v)]));
}

export function ok(value: unknown, what = "should hold"): asserts value {
  if (!value) throw new Error(what);
}
