"""supabase's auth library with `/auth/v1`."""

import json
import time
import uuid

import jwt
from backend import PASSWORD, Failure, want
from supabase_auth.errors import AuthApiError, AuthWeakPasswordError

from .people import Person, client


def rejected(action, status, *codes):
    """The action fails with the library's error, with this status and one of these codes."""
    try:
        answer = action()
    except AuthApiError as error:
        want(error.status == status and error.code in codes and error.message,
             f"{error.status} {error.code} ({error.message}) instead of {status} {' or '.join(codes)}")
        return error
    raise Failure(f"{status} {' or '.join(codes)} was expected, the answer is {answer!r:.200}")


def sign_in(server, email, password=PASSWORD):
    one = client(server)
    return one, one.auth.sign_in_with_password({"email": email, "password": password})


def check_sign_up(place):
    server, one = place.server, client(place.server)
    email = f"Ada.{uuid.uuid4().hex[:8]}@Example.org"
    answer = one.auth.sign_up({"email": email, "password": PASSWORD, "options": {"data": {"full_name": "Ada L"}}})
    session, user = answer.session, answer.user
    want(user.id == str(uuid.UUID(user.id)) and user.email == email.lower(), f"the user is {user}")
    want(user.role == user.aud == "authenticated" and user.user_metadata["full_name"] == "Ada L", f"the user is {user}")
    want(abs(session.expires_at - time.time() - session.expires_in) < 5, f"the session expires at {session.expires_at}")
    claims = jwt.decode(session.access_token, server.keys["jwt_secret"], algorithms=["HS256"], audience="authenticated",
                        options={"require": ["exp", "iat", "sub", "session_id"]})
    want((claims["sub"], claims["role"], claims["email"], claims["exp"])
         == (user.id, "authenticated", user.email, session.expires_at), f"the claims are {claims}")
    profile = one.table("profiles").select("*").eq("id", user.id).single().execute().data
    want(profile["display_name"] == "Ada L" and profile["username"].startswith("user_"), f"the profile is {profile}")
    auth = client(server).auth
    rejected(lambda: auth.sign_up({"email": email, "password": PASSWORD}), 422, "user_already_exists")
    rejected(lambda: auth.sign_up({"email": "x", "password": PASSWORD}), 400, "validation_failed",
             "email_address_invalid")
    rejected(auth.sign_in_anonymously, 422, "anonymous_provider_disabled")
    try:
        auth.sign_up({"email": f"{uuid.uuid4().hex}@example.org", "password": "12345"})
        raise Failure("a password of five characters was accepted")
    except AuthWeakPasswordError as error:
        want(error.status == 422 and "length" in error.reasons, f"{error.status} {error.reasons}")
    return "session, token and profile; duplicate, weak and anonymous sign-ups are rejected"


def check_sign_in(place):
    server, person = place.server, Person(place.server, "bea")
    for email, password in (person.email, PASSWORD + "x"), ("missing@example.org", PASSWORD):
        error = rejected(lambda: sign_in(server, email, password), 400, "invalid_credentials")
        want(error.message == "Invalid login credentials", f"{email}: {error.message}")
    one, answer = sign_in(server, person.email.upper())
    want(answer.user.id == person.id == one.auth.get_user().user.id, "an email in capitals is another account")
    # After signing in, the user's token replaces the publishable key.
    want(len(one.table("profiles").update({"bio": "signed in"}).eq("id", person.id).execute().data) == 1,
         "not signed in")
    row = person.share(privacy_level="private")
    for key, count in ("publishable_key", 0), ("anon_key", 0), ("secret_key", 1), ("service_role_key", 1):
        found = client(server, key).table("highlights").select("id").eq("id", row["id"]).execute().data
        want(len(found) == count, f"with {key}, {len(found)} private highlights are visible")
    return "unknown emails and wrong passwords get the same error; each key has its role"


def check_refresh(place):
    person, other = Person(place.server, "cem"), client(place.server)
    auth = person.client.auth
    tokens = [auth.get_session().refresh_token, *(auth.refresh_session().session.refresh_token for _ in range(2))]
    want(len(set(tokens)) == 3, "a refresh token was repeated")
    # A client that could not store the response asks again with the parent of the active token.
    want(other.auth.refresh_session(tokens[-2]).session.refresh_token == tokens[-1], "the parent got another token")
    want(other.auth.get_user().user.id == person.id, "the access token of the second response is invalid")
    rejected(lambda: other.auth.refresh_session("missing"), 400, "refresh_token_not_found")
    # A reused older token ends the session.
    rejected(lambda: other.auth.refresh_session(tokens[0]), 400, "refresh_token_already_used")
    rejected(lambda: client(place.server).auth.refresh_session(tokens[-1]), 400, "refresh_token_already_used",
             "refresh_token_not_found", "session_not_found")
    return "each token once; a reused older one ends the session"


def check_user(place):
    server, person = place.server, Person(place.server, "dee")
    auth = person.client.auth
    claims = auth.get_claims()["claims"]
    want(auth.get_user().user.email == person.email and claims["sub"] == person.id, f"the claims are {claims}")
    (identity,) = auth.get_user_identities().identities
    want(identity.provider == "email" and identity.user_id == person.id, f"the identity is {identity}")
    want([method["method"] for method in claims["amr"]] == ["password"], f"the claims are {claims}")
    data = auth.update_user({"data": {"team": "Beach"}}).user.user_metadata
    want(data["team"] == "Beach", f"the user's data is {data}")
    facts = {"sub": person.id, "aud": "authenticated", "exp": int(time.time()) + 600}
    for token in (jwt.encode(facts | {"role": "service_role"}, "x" * 40, algorithm="HS256"),
                  jwt.encode(facts | {"role": "authenticated"}, None, algorithm="none"), "ey.no.token"):
        rejected(lambda: client(server).auth.get_user(token), 403, "bad_jwt")
        answer = server.ask("GET", "/rest/v1/profiles", headers={"Authorization": f"Bearer {token}"})
        want(answer.status_code == 401 and answer.json()["code"] == "PGRST301",
             f"a forged token is {answer.status_code}")
    return "claims, identity and data; forged tokens are rejected"


def check_sign_out(place):
    server, person = place.server, Person(place.server, "eli")
    (first, here), (second, _), (_, third) = (sign_in(server, person.email) for _ in range(3))
    first.auth.sign_out({"scope": "local"})
    ended = "refresh_token_not_found", "session_not_found"
    rejected(lambda: client(server).auth.refresh_session(here.session.refresh_token), 400, *ended)
    rejected(lambda: client(server).auth.get_user(here.session.access_token), 403, "session_not_found")
    second.auth.sign_out({"scope": "others"})
    want(second.auth.get_user().user.id == person.id, "scope others ended this session")
    rejected(lambda: client(server).auth.refresh_session(third.session.refresh_token), 400, *ended)
    _, fourth = sign_in(server, person.email)
    second.auth.sign_out()
    rejected(lambda: client(server).auth.refresh_session(fourth.session.refresh_token), 400, *ended)
    return "local, others and global end the right sessions"


def check_recovery(place):
    server, person, one = place.server, Person(place.server, "fay"), client(place.server)
    one.auth.reset_password_for_email(person.email.upper())
    # Messages that a project's mail server would send.
    mails = [json.loads(line) for line in (server.data / "mails.jsonl").read_text().splitlines()]
    code = next(mail["code"] for mail in mails if (mail["to"], mail["type"]) == (person.email, "recovery"))
    one.auth.reset_password_for_email(person.email)
    want((server.data / "mails.jsonl").read_text().count(person.email) == 1, "a second mail within a minute")
    otp = {"email": person.email, "type": "recovery"}
    rejected(lambda: one.auth.verify_otp(otp | {"token": "111111" if code != "111111" else "2"}), 403, "otp_expired")
    want(one.auth.verify_otp(otp | {"token": code}).user.id == person.id, "the code opens no session")
    rejected(lambda: client(server).auth.verify_otp(otp | {"token": code}), 403, "otp_expired")
    rejected(lambda: one.auth.update_user({"password": PASSWORD}), 422, "same_password")
    one.auth.update_user({"password": PASSWORD + " new"})
    rejected(person.client.auth.get_user, 403, "session_not_found")
    rejected(lambda: sign_in(server, person.email), 400, "invalid_credentials")
    want(sign_in(server, person.email, PASSWORD + " new")[1].session, "the new password is rejected")
    return "a code opens one session; a new password ends the others"
