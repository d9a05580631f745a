// Sign in with Apple: ends the app's access to a person's Apple account, as the App Store requires when an account is deleted.
// The requests follow Apple's documentation ("Token validation", "Token revocation"); they were not tried with Apple's server.

import type { AppleConfig } from "./config.ts";
import { signedToken } from "./es256.ts";
import { isObject } from "./http.ts";
import { log, nameOf } from "./log.ts";

/** The audience of client secrets, whatever the server's address. */
const audience = "https://appleid.apple.com";
const secretSeconds = 300;

/** `refused`: Apple doesn't accept the code, or this server. `failed`: another request may succeed. */
export type Revocation = "revoked" | "refused" | "failed";

export class AppleSignIn {
  constructor(private readonly config: AppleConfig) {}

  /** Exchanges a code of Apple's framework, which is valid for five minutes, and revokes the token that it results in. */
  async revoke(code: string): Promise<Revocation> {
    const { key, keyID, teamID, clientID } = this.config;
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: teamID, iat: now, exp: now + secretSeconds, aud: audience, sub: clientID };
    try {
      const client = { client_id: clientID, client_secret: await signedToken(key, keyID, claims) };
      const exchanged = await this.post("token", { ...client, grant_type: "authorization_code", code });
      if (typeof exchanged === "string") return exchanged;
      const token = exchanged.refresh_token;
      if (typeof token !== "string") return "failed";
      const revoked = await this.post("revoke", { ...client, token, token_type_hint: "refresh_token" });
      return typeof revoked === "string" ? revoked : "revoked";
    } catch (error) {
      log("apple_failed", { kind: nameOf(error) });
      return "failed";
    }
  }

  /** The members of the response, which may be empty. */
  private async post(
    call: string,
    fields: Record<string, string>,
  ): Promise<Record<string, unknown> | "refused" | "failed"> {
    const response = await fetch(`${this.config.url}/auth/${call}`, {
      method: "POST",
      body: new URLSearchParams(fields),
      redirect: "error",
      signal: AbortSignal.timeout(this.config.timeoutMilliseconds),
    });
    const text = await response.text();
    if (!response.ok) {
      log("apple_refused", { call, status: response.status });
      return response.status >= 400 && response.status < 500 && response.status !== 429 ? "refused" : "failed";
    }
    const value: unknown = text === "" ? {} : JSON.parse(text);
    return isObject(value) ? value : {};
  }
}
