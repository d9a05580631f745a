type Detail = string | number | boolean | null | undefined;

/** One line of JSON. Never given a token, a URL, a draft or a body: only names, ids, codes and counts. */
export function log(event: string, details: Record<string, Detail> = {}): void {
  // deno-lint-ignore no-console
  console.log(JSON.stringify({ event, ...details }));
}

/** What kind of failure it was. Messages of `fetch` carry URLs. */
export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
