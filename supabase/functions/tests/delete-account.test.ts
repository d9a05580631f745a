import { equal, ok } from "./support/assert.ts";
import { anonKey, userToken, World } from "./support/world.ts";

const world = await World.make("delete-account", "sweep");
Deno.test.afterAll(() => world[Symbol.asyncDispose]());
const { rest } = world;

function test(name: string, body: () => Promise<void>): void {
  Deno.test({ name: `delete-account: ${name}`, fn: body, sanitizeOps: false, sanitizeResources: false });
}

async function ask(token: string | null, method = "POST") {
  const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
  return await world.send(world.get("delete-account").url, { method, headers });
}

async function deletions(id: string): Promise<string | null> {
  return await world.value(`select deletes_at - requested_at from account_deletions where user_id = '${id}'`);
}

test("the account is hidden, signed out, and deleted after seven days", async () => {
  const [ann, bob] = [await world.person(), await world.person()];
  rest.signOuts.length = 0;
  const answer = await ask(ann.token);
  equal([answer.status, answer.body.success], [200, true], answer.text);
  const days = (Date.parse(answer.body.deletes_at) - Date.now()) / 86_400_000;
  ok(days > 6.9 && days < 7.1, answer.text);
  equal(await deletions(ann.id), "7 days");
  equal(rest.signOuts, [`global Bearer ${ann.token}`]);
  equal(await deletions(bob.id), null, "other accounts are unchanged");
  const again = await ask(ann.token);
  equal([again.status, again.body.deletes_at], [200, answer.body.deletes_at], "asked again, the time stays");
  equal((await world.sweep()).body.deleted_accounts, 0);
  await world.sql(`update account_deletions set deletes_at = now() where user_id = '${ann.id}'`);
  equal((await world.sweep()).body.deleted_accounts, 1);
  equal((await ask(ann.token)).status, 403, "a token outlives its account");
});

test("the deletion counts when the sign-out fails", async () => {
  const ann = await world.person();
  rest.signOutStatus = 500;
  equal((await ask(ann.token)).status, 200);
  rest.signOutStatus = 204;
  equal(await deletions(ann.id), "7 days");
});

test("a token of the account is required", async () => {
  const { id } = await world.person();
  const expired = await userToken(id, { exp: 1 });
  for (const token of [null, "", "x", anonKey, expired]) equal((await ask(token)).status, 401, `${token}`);
  for (const method of ["GET", "DELETE", "PUT"]) {
    const answer = await ask(await userToken(id), method);
    equal([answer.status, answer.headers.get("allow")], [405, "POST, OPTIONS"]);
  }
  equal(await deletions(id), null);
});
