// Apple's push service: one request per device over HTTP/2, which `fetch` negotiates, with a token signed by ES256.

import type { PushConfig } from "./config.ts";
import { signedToken } from "./es256.ts";

/** Apple refuses tokens older than an hour, and more than one new token in 20 minutes. */
const tokenSeconds = 2400;

export interface Push {
  token: string;
  environment: "production" | "sandbox";
  notification_id: string;
  kind: string;
  actor_name: string | null;
  highlight_id: string | null;
  comment_id: string | null;
  comment: string | null;
  unread: number;
}

/** `gone`: the device no longer has the app. `refused`: Apple doesn't accept this server. */
export type Outcome = "sent" | "gone" | "refused" | "failed";

export class APNs {
  private static made: { token: string; keyID: string; at: number } | null = null;

  constructor(private readonly config: PushConfig) {}

  async send(push: Push): Promise<Outcome> {
    const { url, topic, timeoutMilliseconds } = this.config;
    const host = url ?? `https://api.${push.environment === "sandbox" ? "sandbox." : ""}push.apple.com`;
    const token = await this.token();
    let response: Response, reason: unknown;
    try {
      response = await fetch(`${host}/3/device/${push.token}`, {
        method: "POST",
        headers: {
          authorization: `bearer ${token}`,
          "apns-topic": topic,
          "apns-push-type": "alert",
          "apns-id": push.notification_id,
          "apns-expiration": String(Math.floor(Date.now() / 1000) + 3600),
        },
        body: JSON.stringify(payload(push)),
        redirect: "error",
        signal: AbortSignal.timeout(timeoutMilliseconds),
      });
      const body = await response.text();
      reason = response.ok ? null : JSON.parse(body).reason;
    } catch {
      return "failed";
    }
    if (response.ok) return "sent";
    if (response.status === 410 || reason === "BadDeviceToken" || reason === "DeviceTokenNotForTopic") return "gone";
    return response.status === 403 ? "refused" : "failed";
  }

  private async token(): Promise<string> {
    const { key, keyID, teamID } = this.config;
    const now = Math.floor(Date.now() / 1000);
    const made = APNs.made;
    if (made !== null && made.keyID === keyID && now - made.at < tokenSeconds) return made.token;
    const token = await signedToken(key, keyID, { iss: teamID, iat: now });
    APNs.made = { token, keyID, at: now };
    return token;
  }
}

/** The app localizes the key, and opens the highlight. */
function payload(push: Push): Record<string, unknown> {
  return {
    aps: {
      alert: { "loc-key": `notification_${push.kind}`, "loc-args": [push.actor_name ?? "", push.comment ?? ""] },
      badge: push.unread,
      sound: "default",
      ...(push.highlight_id === null ? {} : { "thread-id": push.highlight_id }),
    },
    kind: push.kind,
    highlight_id: push.highlight_id,
    comment_id: push.comment_id,
  };
}
