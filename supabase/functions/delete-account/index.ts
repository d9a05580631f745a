// `POST /delete-account`: requests the deletion of the caller's account in seven days and hides it immediately. Signing in
// and deleting the row of `account_deletions` cancels the request. The sweep deletes the account.
//
// The body can be `{"apple_authorization_code": "…"}` with a new code of Sign in with Apple. Then the app's access to the Apple
// account is revoked too, immediately: codes are valid for five minutes, and no token of Apple's is stored. The response's
// `apple` is the result; after `failed`, the app can repeat the request with another code.

import { AppleSignIn, type Revocation } from "../_shared/apple.ts";
import { appleConfig, ConfigError, databaseConfig, tokenConfig } from "../_shared/config.ts";
import { Database, DatabaseError } from "../_shared/database.ts";
import { answering, bodyBytes, Failure, json, parseObject, withCORS } from "../_shared/http.ts";
import { verifiedUser } from "../_shared/jwt.ts";
import { log, nameOf } from "../_shared/log.ts";
import { bearer } from "../_shared/secrets.ts";

Deno.serve(withCORS(answering(async (request) => {
  if (request.method !== "POST") {
    throw new Failure(405, "method_not_allowed", ["this path accepts only POST"], { Allow: "POST, OPTIONS" });
  }
  const token = bearer(request);
  const account = await verifiedUser(token, tokenConfig());
  const code = await appleCode(request);
  const database = databaseConfig();
  let deletesAt: unknown;
  try {
    deletesAt = await new Database(database).call("request_account_deletion", { account });
  } catch (error) {
    // A token may outlive its account.
    if (error instanceof DatabaseError) throw new Failure(403, "not_allowed", ["the account does not exist"]);
    throw error;
  }
  await signOut(database.url, database.serviceKey, token!);
  const apple = code === null ? null : await revokeApple(code);
  log("account_deletion", { account, apple });
  return json({ success: true, deletes_at: deletesAt, apple });
})));

/** The code in the body. An unusable body must not prevent a deletion. */
async function appleCode(request: Request): Promise<string | null> {
  try {
    const code = parseObject(await bodyBytes(request, 4096))?.apple_authorization_code;
    return typeof code === "string" && code !== "" ? code : null;
  } catch {
    return null;
  }
}

/** The deletion counts whatever the result is. `off`: this project has no key of Apple's. */
async function revokeApple(code: string): Promise<Revocation | "off"> {
  try {
    const config = appleConfig();
    return config === null ? "off" : await new AppleSignIn(config).revoke(code);
  } catch (error) {
    log("apple_failed", { kind: nameOf(error), reason: error instanceof ConfigError ? error.message : undefined });
    return "failed";
  }
}

/** Ends the sessions on all devices. If this fails, the deletion still counts: access tokens expire within an hour. */
async function signOut(url: string, key: string, token: string): Promise<void> {
  try {
    const response = await fetch(`${url}/auth/v1/logout?scope=global`, {
      method: "POST",
      headers: { apikey: key, Authorization: `Bearer ${token}` },
      redirect: "error",
      signal: AbortSignal.timeout(5000),
    });
    await response.body?.cancel();
    if (!response.ok) log("sign_out_refused", { status: response.status });
  } catch (error) {
    log("sign_out_failed", { kind: nameOf(error) });
  }
}
