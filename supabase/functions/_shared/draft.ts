// The rules of a draft, the same as in the client and the local backend, which also accepts drafts without metadata
// (`--allow-no-metadata`). The table's constraints are authoritative.

import { Failure, isObject, type JSONObject } from "./http.ts";
import { uuidPattern } from "./jwt.ts";

const longestCaption = 2200;
/** A full caption can't contain more hashtags (`#a` and a space each). */
const mostTags = 734;
const largestInteger = 2 ** 31 - 1;
/** The maximum number of clips in a post. */
const mostParts = 10;

/** A draft with its known fields, all of the right type. */
export interface Draft {
  highlight_id: string;
  /** The zero-based index of the clip in a post of several, and their number. */
  part: number;
  part_count: number;
  caption: string | null;
  tags: string[];
  privacy_level: string;
  hide_likes: boolean;
  local_video_id: string | null;
  local_rally_index: number | null;
  duration: number;
  confidence: number | null;
  quality: number | null;
  detection_count: number | null;
}

/** Describes which field is wrong and how, without its value. */
function malformed(name: string, value: unknown, how = "has the wrong type"): Failure {
  const reason = value === undefined ? "is missing" : value === null ? "is null" : how;
  return Failure.invalid(400, [`${name} ${reason}`]);
}

const isNumber = (value: unknown): value is number => typeof value === "number";
const isText = (value: unknown): value is string => typeof value === "string";

function required<Value>(body: JSONObject, name: string, is: (value: unknown) => value is Value): Value {
  const value = body[name];
  if (!is(value)) throw malformed(name, value);
  if (!isSound(value)) throw malformed(name, value, "has an invalid value");
  return value;
}

function optional<Value>(body: JSONObject, name: string, is: (value: unknown) => value is Value): Value | null {
  return body[name] === undefined || body[name] === null ? null : required(body, name, is);
}

/** The database stores no unpaired surrogates and NUL characters in text, and no infinite numbers (`1e400`). */
function isSound(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed() && !value.includes("\0");
  return typeof value !== "number" || Number.isFinite(value);
}

function whole(body: JSONObject, name: string): number | null {
  const value = optional(body, name, isNumber);
  if (value !== null && !Number.isInteger(value)) throw malformed(name, value, "has an invalid value");
  return value;
}

function id(name: string, value: string): string {
  if (!uuidPattern.test(value)) throw malformed(name, value, "has an invalid value");
  return value.toLowerCase();
}

export function draftOf(body: JSONObject): Draft {
  const video = optional(body, "local_video_id", isText);
  const privacy = required(body, "privacy_level", isText);
  if (!["public", "followers_only", "private"].includes(privacy)) {
    throw malformed("privacy_level", privacy, "has an invalid value");
  }
  return {
    highlight_id: id("highlight_id", required(body, "highlight_id", isText)),
    part: whole(body, "part") ?? 0,
    part_count: whole(body, "part_count") ?? 1,
    caption: optional(body, "caption", isText),
    tags: required(body, "tags", (value) => Array.isArray(value)).map((tag: unknown, index) => {
      if (!isText(tag)) throw malformed(`tags.${index}`, tag);
      if (!isSound(tag)) throw malformed(`tags.${index}`, tag, "has an invalid value");
      return tag;
    }),
    privacy_level: privacy,
    hide_likes: required(body, "hide_likes", (value) => typeof value === "boolean"),
    local_video_id: video === null ? null : id("local_video_id", video),
    local_rally_index: whole(body, "local_rally_index"),
    duration: required(body, "duration", isNumber),
    confidence: optional(body, "confidence", isNumber),
    quality: optional(body, "quality", isNumber),
    detection_count: whole(body, "detection_count"),
  };
}

/** All problems of a draft, one sentence each. Empty for a valid draft. */
export function problemsOf(draft: Draft): string[] {
  const problems: string[] = [];
  if (draft.part_count < 1 || draft.part_count > mostParts) {
    problems.push(`part_count is ${draft.part_count}; it must be 1 to ${mostParts}`);
  } else if (draft.part < 0 || draft.part >= draft.part_count) {
    problems.push(`part is ${draft.part}; it must be less than part_count and not negative`);
  }
  // Differences of decimal times are inexact, so a microsecond is tolerated, as in the table.
  if (draft.duration < 3 - 1e-6 || draft.duration > 60 + 1e-6) {
    problems.push(`duration is ${draft.duration} s; a rally must last 3 to 60 s`);
  }
  if (draft.caption !== null) {
    const count = characterCount(draft.caption);
    if (count > longestCaption) problems.push(`caption has ${count} characters; the limit is ${longestCaption}`);
  }
  if (draft.tags.length > mostTags) problems.push(`tags has ${draft.tags.length} entries; the limit is ${mostTags}`);
  if (draft.tags.some((tag) => tag === "" || [...tag].length > longestCaption)) {
    problems.push("tags has an entry that is empty or too long");
  }
  // Only the app's detection of rallies creates metadata, so videos of other content are rejected.
  for (const name of ["confidence", "quality", "detection_count"] as const) {
    if (draft[name] === null) problems.push(`${name} is missing; only rallies with metadata are accepted`);
  }
  for (const name of ["confidence", "quality"] as const) {
    const value = draft[name];
    if (value !== null && (value < -1e-9 || value > 1 + 1e-9)) problems.push(`${name} is ${value}; it must be 0 to 1`);
  }
  for (const name of ["detection_count", "local_rally_index"] as const) {
    const value = draft[name];
    if (value !== null && value < 0) problems.push(`${name} is negative`);
    if (value !== null && value > largestInteger) problems.push(`${name} is too large`);
  }
  return problems;
}

/** Counts characters as people do: a flag or an accented letter is one. */
function characterCount(text: string): number {
  let count = 0;
  for (const _ of new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)) count++;
  return count;
}

/** The lifetime of an upload URL in seconds, with Mux's range and default. */
export function timeoutOf(url: URL, body: JSONObject): number {
  const query = url.searchParams.get("timeout");
  if (query !== null) {
    if (!/^\d{1,15}$/.test(query)) throw Failure.invalid(400, ["timeout is not a number"]);
    return Number(query);
  }
  return whole(body, "timeout") ?? 3600;
}

export function isTimeout(seconds: number): boolean {
  return seconds >= 60 && seconds <= 604_800;
}

/** Converts values to texts for the client. Mux may send numbers and lists. */
export function textsOf(reasons: unknown): Record<string, string> | undefined {
  if (!isObject(reasons)) return undefined;
  return Object.fromEntries(
    Object.entries(reasons).map(([name, value]) => [name, isText(value) ? value : JSON.stringify(value)]),
  );
}
