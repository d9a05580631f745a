"""supabase's auth library against `/auth/v1`."""

import contextlib
import json
import sqlite3
import time
import uuid

import jwt
from supabase_auth.errors import AuthApiError, AuthWeakPasswordError

from .backend import PASSWORD, Failure, Person, invoke, moment, want

VERSION = {"X-Supabase-Api-Version": "2024-01-01"}


def rejected(action, status, *codes):
    """The action ends with an error of the library's that carries this status and one of the codes."""
    try:
        answer = action()
    except AuthApiError as error:
        want(error.status == status and error.code in codes,
             f"{error.status} {error.code} ({error.message}) instead of {status} {' or '.join(codes)}")
        want(error.message, f"{error.code} has no message")
        return error
    raise Failure(f"{status} {' or '.join(codes)} was expected, it answered {answer!r:.200}")


def signing_in(client, email, password=PASSWORD):
    return client.auth.sign_in_with_password({"email": email, "password": password})


def check_sign_up(place):
    backend, client = place.backend, place.backend.client()
    email = f"Ada.{uuid.uuid4().hex[:8]}@Example.org"
    answer = client.auth.sign_up({"email": email, "password": PASSWORD, "options": {"data": {"full_name": "Ada L"}}})
    want(answer.session, "signing up gave no session")
    session, user = answer.session, answer.user
    want(user.id == str(uuid.UUID(user.id)), f"the id {user.id} is no uuid in lower case")
    want(user.email == email.lower(), f"{email} became {user.email}")
    want(user.role == user.aud == "authenticated", f"role {user.role}, audience {user.aud}")
    want(user.user_metadata.get("full_name") == "Ada L", f"the user's data became {user.user_metadata}")
    want(session.token_type == "bearer" and abs(session.expires_at - time.time() - session.expires_in) < 5,
         f"a {session.token_type} session until {session.expires_at}, for {session.expires_in} s")
    claims = jwt.decode(session.access_token, backend.keys["jwt_secret"], algorithms=["HS256"],
                        audience="authenticated", options={"require": ["exp", "iat", "sub"]})
    want((claims["sub"], claims["role"], claims["email"]) == (user.id, "authenticated", user.email),
         f"the claims are {claims}")
    want(claims["exp"] == session.expires_at and claims.get("session_id"), f"the claims are {claims}")
    profile = client.table("profiles").select("*").eq("id", user.id).single().execute().data
    want(profile["display_name"] == "Ada L" and profile["username"].startswith("user_"), f"the profile is {profile}")

    again = backend.client()
    rejected(lambda: again.auth.sign_up({"email": email, "password": PASSWORD}), 422, "user_already_exists")
    rejected(lambda: again.auth.sign_up({"email": "nobody", "password": PASSWORD}), 400, "validation_failed",
             "email_address_invalid")
    rejected(lambda: again.auth.sign_in_anonymously(), 422, "anonymous_provider_disabled")
    try:
        again.auth.sign_up({"email": f"{uuid.uuid4().hex}@example.org", "password": "12345"})
        raise Failure("a password of five characters was taken")
    except AuthWeakPasswordError as error:
        want(error.status == 422 and "length" in error.reasons, f"{error.status} {error.reasons}")
    return "the session's token and the profile are right; a second, a weak and a nameless one are refused"


def check_sign_in(place):
    backend = place.backend
    person = Person(backend, "bea")
    client = backend.client()
    for email, password in (person.email, PASSWORD + "x"), ("nobody@example.org", PASSWORD), (person.email, " "):
        error = rejected(lambda: signing_in(client, email, password), 400, "invalid_credentials")
        want(error.message == "Invalid login credentials", f"{email} is told apart: {error.message}")
    want(signing_in(client, person.email.upper()).user.id == person.id, "the address in capitals is another account")
    want(client.auth.get_user().user.id == person.id, "the session is somebody else's")
    # Where a publishable key went before, the person's token goes now.
    row = client.table("profiles").update({"bio": "signed in"}).eq("id", person.id).execute().data
    want(len(row) == 1, "after signing in the library's requests are not the person's")
    legacy = backend.client("anon_key")
    want(signing_in(legacy, person.email).user.id == person.id, "not with the legacy key")
    return "wrong ones are not told apart; both kinds of keys"


def check_refresh(place):
    backend = place.backend
    person = Person(backend, "cem")
    tokens = [person.client.auth.get_session().refresh_token]
    for _ in range(2):
        answer = person.client.auth.refresh_session()
        want(answer.session and answer.user.id == person.id, "no session after a refresh")
        want(answer.session.refresh_token not in tokens, "a refresh token came twice")
        tokens.append(answer.session.refresh_token)
    other = backend.client()
    # Whoever could not save the answer asks once more with the parent of the active one.
    again = other.auth.refresh_session(tokens[-2]).session
    want(again.refresh_token == tokens[-1], "the parent of the active token gave another one")
    want(other.auth.get_user().user.id == person.id, "the access token of the second answer is not taken")

    rejected(lambda: other.auth.refresh_session("no-such-token"), 400, "refresh_token_not_found")
    rejected(lambda: other.auth.refresh_session(tokens[0]), 400, "refresh_token_already_used")
    # Somebody has an old token: nobody may go on with that family.
    rejected(lambda: backend.client().auth.refresh_session(tokens[-1]), 400, "refresh_token_already_used",
             "refresh_token_not_found", "session_not_found")
    want(signing_in(backend.client(), person.email).session, "the password no longer opens a session")
    return "each token once, the parent forgiven, an older one ends the session"


def check_cost(place):
    """The cost that passwords have elsewhere; all other checks lower it."""
    backend = place.fresh("--password-rounds", "32768")
    person = Person(backend, "cost")
    want(signing_in(backend.client(), person.email).user.id == person.id, "the password opens no session")
    rejected(lambda: signing_in(backend.client(), person.email, PASSWORD + "x"), 400, "invalid_credentials")
    backend.kill()
    with contextlib.closing(sqlite3.connect(backend.data / "backend.sqlite")) as database:
        (stored,) = database.execute("select password_hash from auth_users where email = ?", [person.email]).fetchone()
    want(stored.startswith("scrypt$32768$8$3$") and PASSWORD not in stored, f"stored as {stored[:20]}…")
    return "a password of the default cost opens a session"


def mail(backend, email, kind):
    """The newest message to an address, which a project's mail server would have sent."""
    path = backend.data / "mails.jsonl"
    want(path.stat().st_mode & 0o777 == 0o600, "others can read the mails")
    mails = [json.loads(line) for line in path.read_text().splitlines()]
    found = [one for one in mails if one["to"] == email and one["type"] == kind]
    want(found, f"no {kind} to {email}: {mails}")
    return found[-1]


def check_recovery(place):
    backend = place.backend
    person = Person(backend, "fay")
    client = backend.client()
    client.auth.reset_password_for_email(person.email.upper())
    client.auth.reset_password_for_email("nobody.of.this.name@example.org")
    code = mail(backend, person.email, "recovery")["code"]
    rejected(lambda: client.auth.reset_password_for_email(person.email), 429, "over_email_send_rate_limit")
    wrong = "111111" if code != "111111" else "222222"
    rejected(lambda: client.auth.verify_otp({"email": person.email, "token": wrong, "type": "recovery"}), 403,
             "otp_expired")
    answer = client.auth.verify_otp({"email": person.email, "token": code, "type": "recovery"})
    want(answer.session and answer.user.id == person.id, "the code opens no session")
    rejected(lambda: backend.client().auth.verify_otp({"email": person.email, "token": code, "type": "recovery"}), 403,
             "otp_expired")
    rejected(lambda: client.auth.update_user({"password": PASSWORD}), 422, "same_password")
    client.auth.update_user({"password": PASSWORD + " new"})
    want(client.auth.get_user().user.id == person.id, "the session of the change has ended")
    rejected(lambda: person.client.auth.get_user(), 403, "session_not_found")
    rejected(lambda: signing_in(backend.client(), person.email), 400, "invalid_credentials")
    want(signing_in(backend.client(), person.email, PASSWORD + " new").session, "not with the new password")
    return "a code by mail opens one session; a new password ends the others"


def check_change(place):
    backend = place.backend
    person, client = Person(backend, "gus"), None
    client = person.client
    data = client.auth.update_user({"data": {"team": "Beach", "full_name": None}}).user.user_metadata
    want(data == {"team": "Beach"}, f"the user's data became {data}")
    rejected(lambda: client.auth.update_user({"email": Person(backend, "other").email}), 422, "email_exists")
    newer = f"gus.{uuid.uuid4().hex[:8]}@example.org"
    user = client.auth.update_user({"email": newer}).user
    want((user.email, user.new_email) == (person.email, newer), f"the addresses are {user.email}, {user.new_email}")
    for address, is_last in (person.email, False), (newer, True):
        code = mail(backend, address, "email_change")["code"]
        answer = client.auth.verify_otp({"email": address, "token": code, "type": "email_change"})
        want(bool(answer.session) == is_last, f"after the code to {address}: {answer}")
    want(client.auth.get_user().user.email == newer, "the address did not change")
    want(signing_in(backend.client(), newer).session, "not with the new address")
    rejected(lambda: signing_in(backend.client(), person.email), 400, "invalid_credentials")
    client.auth.reauthenticate()
    want(mail(backend, newer, "reauthentication")["code"], "no code to prove it again")
    return "data, and an address that both sides prove"


def check_deletion(place):
    backend = place.backend
    person, other = Person(backend, "hal"), Person(backend, "ida")
    seen = lambda: other.table("profiles").select("id").eq("id", person.id).execute().data
    want(seen(), "the profile is hidden before")
    answer = invoke(person, "delete-account")
    want(answer["success"] is True, f"the answer is {answer}")
    want(5 < (moment(answer["deletes_at"]).timestamp() - time.time()) / 86_400 < 8, f"it is deleted {answer}")
    want(not seen(), "the profile of an account that goes is seen")
    rejected(lambda: person.client.auth.get_user(), 403, "session_not_found")
    back = backend.client()
    signing_in(back, person.email)
    back.table("account_deletions").delete().eq("user_id", person.id).execute()
    want(seen(), "taken back, it is still hidden")
    nobody = backend.raw("POST", "/functions/v1/delete-account", headers={"apikey": backend.keys["publishable_key"]})
    want(nobody.status_code == 401, f"nobody deletes {nobody.status_code}")
    return "hidden and signed out at once, until it is taken back"


def check_user(place):
    backend = place.backend
    person = Person(backend, "dee")
    want(person.client.auth.get_user().user.email == person.email, "the user is another one")
    want(person.client.auth.get_claims()["claims"]["sub"] == person.id, "the claims are another one's")
    (identity,) = person.client.auth.get_user_identities().identities
    want(identity.provider == "email" and identity.user_id == person.id, f"the identity is {identity}")
    (method,) = person.client.auth.get_claims()["claims"]["amr"]
    want(method["method"] == "password" and abs(method["timestamp"] - time.time()) < 120, f"signed in by {method}")
    resumed = backend.client()
    session = person.client.auth.get_session()
    resumed.auth.set_session(session.access_token, session.refresh_token)
    want(resumed.auth.get_user().user.id == person.id, "a stored session is another user's")
    rejected(lambda: backend.client().auth.get_user("ey.no.token"), 403, "bad_jwt")
    forged = jwt.encode({"sub": person.id, "role": "service_role", "aud": "authenticated",
                         "exp": int(time.time()) + 600}, "x" * 40, algorithm="HS256")
    rejected(lambda: backend.client().auth.get_user(forged), 403, "bad_jwt")
    naked = jwt.encode({"sub": person.id, "role": "authenticated", "aud": "authenticated",
                        "exp": int(time.time()) + 600}, None, algorithm="none")
    rejected(lambda: backend.client().auth.get_user(naked), 403, "bad_jwt")
    for token in forged, naked:
        answer = backend.raw("GET", "/rest/v1/profiles?select=id", headers={"Authorization": f"Bearer {token}"})
        want(answer.status_code == 401 and answer.json()["code"] == "PGRST301", f"forged: {answer.status_code}")
    nobody = backend.raw("GET", "/auth/v1/user", headers=VERSION | {"apikey": backend.keys["publishable_key"]})
    want(nobody.status_code in (401, 403) and nobody.json()["code"] == "no_authorization",
         f"nobody is {nobody.status_code} {nobody.text}")
    return "the person, a stored session; forged tokens are refused"


def check_sign_out(place):
    backend = place.backend
    person = Person(backend, "eli")
    first, second, third = (backend.client() for _ in range(3))
    sessions = [signing_in(client, person.email).session for client in (first, second, third)]
    first.auth.sign_out({"scope": "local"})
    want(first.auth.get_session() is None, "the library still has a session")
    gone = rejected(lambda: backend.client().auth.refresh_session(sessions[0].refresh_token), 400,
                    "refresh_token_not_found", "session_not_found").code
    rejected(lambda: backend.client().auth.get_user(sessions[0].access_token), 403, "session_not_found")
    want(second.auth.get_user().user.id == person.id, "signing out here signed out there")
    second.auth.sign_out({"scope": "others"})
    want(second.auth.get_user().user.id == person.id, "scope others ended this session")
    rejected(lambda: backend.client().auth.refresh_session(sessions[2].refresh_token), 400, gone)
    fresh = signing_in(backend.client(), person.email).session
    second.auth.sign_out()
    rejected(lambda: backend.client().auth.refresh_session(fresh.refresh_token), 400, gone)
    # Once more with the same token: the library takes these answers for done.
    again = backend.raw("POST", "/auth/v1/logout", headers=VERSION | {"Authorization": f"Bearer {fresh.access_token}"})
    want(again.status_code in (204, 401, 403, 404), f"signing out twice is {again.status_code}")
    return "local, others and global end the sessions they name"


def check_shapes(place):
    backend = place.backend
    body = {"email": "nobody@example.org", "password": "wrong wrong"}
    path, key = "/auth/v1/token?grant_type=password", {"apikey": backend.keys["publishable_key"]}
    old = backend.raw("POST", path, json=body, headers=key)
    want(old.status_code == 400 and {"code": 400, "error_code": "invalid_credentials"}.items() <= old.json().items()
         and isinstance(old.json().get("msg"), str), f"without a version: {old.status_code} {old.text}")
    new = backend.raw("POST", path, json=body, headers=key | VERSION)
    want(new.status_code == 400 and new.json()["code"] == "invalid_credentials" and new.json().get("message"),
         f"with a version: {new.status_code} {new.text}")
    want(new.headers.get("X-Supabase-Api-Version") == "2024-01-01", "the version is not echoed")
    for answer in old, new:
        want(answer.headers.get("x-sb-error-code") == "invalid_credentials", "x-sb-error-code is missing")
    for content in b"{", b"[]", b'"x"', b"\xff":
        headers = key | VERSION | {"Content-Type": "application/json"}
        broken = backend.raw("POST", path, content=content, headers=headers)
        want(broken.status_code == 400 and broken.json()["code"] in ("bad_json", "validation_failed"),
             f"{content} is {broken.status_code} {broken.text}")
    grant = backend.raw("POST", "/auth/v1/token?grant_type=magic", json=body, headers=key | VERSION)
    want(grant.status_code == 400, f"an unknown grant is {grant.status_code}")
    settings = backend.raw("GET", "/auth/v1/settings", headers=key).json()
    want(settings["external"]["email"] is True and settings["disable_signup"] is False, f"the settings are {settings}")
    health = backend.raw("GET", "/auth/v1/health")
    want(health.status_code == 200 and health.json().get("name"), f"health is {health.status_code} {health.text}")
    return "both shapes of errors, settings, health"


def check_keys(place):
    backend = place.backend
    person = Person(backend, "fay")
    row = person.share(privacy_level="private", caption="nobody's business")

    def sees(key):
        return bool(backend.client(key).table("highlights").select("id").eq("id", row["id"]).execute().data)

    seen = {key: sees(key) for key in ("publishable_key", "anon_key", "secret_key", "service_role_key")}
    want(seen == {"publishable_key": False, "anon_key": False, "secret_key": True, "service_role_key": True},
         f"a private highlight is seen with: {seen}")
    for headers in {"apikey": "sb_publishable_other"}, {"apikey": "sb_secret_other"}:
        answer = backend.raw("GET", "/rest/v1/highlights?select=id", headers=headers)
        want(answer.status_code == 401, f"{headers} is {answer.status_code} {answer.text[:80]}")
    without = backend.raw("GET", f"/rest/v1/highlights?select=id&id=eq.{row['id']}")
    want(without.status_code == 200 and without.json() == [], f"without a key: {without.status_code} {without.text}")
    for name in "secret_key", "service_role_key", "jwt_secret", "mux_token_secret", "mux_webhook_secret":
        want((backend.data / "keys.json").stat().st_mode & 0o077 == 0, "others can read keys.json")
        pages = "".join(backend.raw("GET", path).text for path in ("/", "/health", f"/h/{row['id']}"))
        want(backend.keys[name] not in pages, f"{name} is on a page")
    return "each key has its role, as key and as Bearer; unknown ones are refused"


CHECKS = {
    "account sign up": check_sign_up, "account sign in": check_sign_in, "account refresh": check_refresh,
    "account user": check_user, "account sign out": check_sign_out, "account shapes": check_shapes,
    "account keys": check_keys, "account cost": check_cost, "account recovery": check_recovery,
    "account change": check_change, "account deletion": check_deletion,
}
