type Detail = string | number | boolean | null | undefined;

/** Writes one line of JSON. Pass only names, IDs, codes and counts: never a token, a URL, a draft or a body. */
export function log(event: string, details: Record<string, Detail> = {}): void {
  // deno-lint-ignore no-console
  console.log(JSON.stringify({ event, ...details }));
}

/** The kind of an error. Messages of `fetch` contain URLs. */
export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
