"""Members of families who do the same thing at the same time, on a temporary PostgreSQL."""

import concurrent.futures
import json
import threading
import uuid

import psycopg
from scenarios.database import Failure

CLIENTS = 16


def name_id(name):
    return uuid.uuid5(uuid.NAMESPACE_URL, name)


class Races:
    """Runs a statement for several accounts at once, each in its own connection, as PostgREST would."""

    def __init__(self, server, database):
        self.server = server
        self.database = database

    def owner(self, sql, *values):
        with self.server.connect(self.database, "postgres") as connection:
            cursor = connection.execute(sql, values)
            return cursor.fetchall() if cursor.description else []

    def at_once(self, calls):
        """The results of (account, sql, values): the first column, or the error's SQLSTATE."""
        barrier = threading.Barrier(len(calls))

        def run(call):
            account, sql, values = call
            with self.server.connect(self.database, "postgres") as connection:
                connection.execute("set role authenticated" if account else "set role service_role")
                connection.execute("select set_config('request.jwt.claims', %s, false)",
                                   [json.dumps({"sub": str(account), "role": "authenticated"} if account else {"role": "service_role"})])
                barrier.wait()
                try:
                    row = connection.execute(sql, values).fetchone()
                    return row[0] if row else None
                except psycopg.Error as error:
                    return error.sqlstate

        with concurrent.futures.ThreadPoolExecutor(len(calls)) as pool:
            return list(pool.map(run, calls))


def expect(name, found, wanted):
    if found != wanted:
        raise Failure(f"{name}: {found} instead of {wanted}")


def run(server):
    server.create("recruiting", "base")
    races = Races(server, "recruiting")
    people = [name_id(f"person{number}") for number in range(CLIENTS)]
    family, coach, clip = name_id("family"), name_id("coach"), name_id("clip")
    for person in people:
        races.owner("insert into auth.users (id, email) values (%s, %s)", person, f"{person}@example.com")
    races.owner("insert into family_units (id, name) values (%s, 'home')", family)
    races.owner("insert into family_members (family_unit_id, user_id, role) values (%s, %s, 'parent'), (%s, %s, 'athlete')",
                family, people[0], family, people[1])
    races.owner("insert into coaches (id, family_unit_id, first_name, last_name, twitter_handle) values (%s, %s, 'A', 'B', 'coach')",
                coach, family)
    races.owner("insert into highlights (id, author_id, mux_playback_id, duration) values (%s, %s, 'PB', 9)", clip, people[1])

    # One invitation, many people.
    code = races.at_once([(people[0], "select code from create_family_invite(%s, 'athlete')", [family])])[0]
    joined = races.at_once([(person, "select accept_family_invite(%s)::text", [code]) for person in people[2:]])
    expect("an invitation that many use", sorted(joined), sorted([str(family)] + ["PT410"] * (CLIENTS - 3)))
    expect("members", races.owner("select count(*) from family_members")[0][0], 3)

    # One send, many times: one link, one interaction, one answer.
    share, token = name_id("share"), "t" * 32
    send = "select (send_highlight(%s, %s, %s, %s, %s, 'email', 'x')).id::text"
    sent = races.at_once([(people[1], send, [share, token, family, clip, coach])] * CLIENTS)
    expect("a link that is sent many times", set(sent), {str(share)})
    expect("links and interactions", races.owner("select (select count(*) from highlight_shares), (select count(*) from interactions)"), [(1, 1)])

    # Openings are counted exactly; none after the revocation.
    opened = races.at_once([(None, "select count(*) from open_highlight_share(%s)", [token])] * CLIENTS)
    expect("openings", (opened, races.owner("select open_count from highlight_shares")), ([1] * CLIENTS, [(CLIENTS,)]))
    mixed = races.at_once([(None, "select count(*) from open_highlight_share(%s)", [token])] * (CLIENTS - 1)
                          + [(people[0], "select revoke_highlight_share(%s) is not null", [share])])
    count = races.owner("select open_count from highlight_shares")[0][0]
    expect("openings during the revocation", count, CLIENTS + mixed[:-1].count(1))
    expect("after the revocation", races.at_once([(None, "select count(*) from open_highlight_share(%s)", [token])]), ["PT410"])

    # Pictures that are attached at once are all listed.
    interaction = races.owner("select id from interactions")[0][0]
    races.at_once([(people[1], "select list_attachment(%s, %s) is null", [interaction, f"file{number}"]) for number in range(CLIENTS)])
    expect("attachments", races.owner("select cardinality(attachments) from interactions"), [(CLIENTS,)])

    # One sync at a time.
    begun = races.at_once([(people[number % 2], "select begin_sync(%s) is null", [family]) for number in range(CLIENTS)])
    expect("syncs", begun.count("PT429"), CLIENTS - 1)

    # The same posts in different orders, while others change and delete them.
    posts = [{"platform": "twitter", "post_url": f"https://x.com/coach/status/{number}", "post_content": "x",
              "post_date": "2026-11-20T10:00:00Z", "author_handle": "coach", "author_name": "A"} for number in range(60)]
    calls = [(people[number % 2], "select ingest_posts(%s, %s) ->> 'added'", [family, json.dumps(posts[number:] + posts[:number])])
             for number in range(CLIENTS)]
    added = races.at_once(calls)
    expect("failed calls", [answer for answer in added if not answer.isdigit()], [])
    expect("added posts", sum(int(number) for number in added), 60)
    expect("notices", races.owner("select user_id is not null, post_count from post_notices"), [(True, 60)] * 3)
    edited = [post | {"post_content": "edited"} for post in posts]
    work = races.at_once(
        [(people[0], "select ingest_posts(%s, %s) ->> 'changed'", [family, json.dumps(edited)])] * 4
        + [(people[1], "update social_media_posts set notes = 'x' where post_url like '%%9' returning 'ok'", [])] * 4
        + [(people[0], "delete from social_media_posts where post_url like '%%5' returning 'ok'", [])] * 4)
    expect("deadlocks", work.count("40P01"), 0)
    expect("deleted posts", races.owner("select count(*) from social_media_posts where post_url like '%%5'")[0][0], 0)

    # The family's last members leave while others write.
    work = races.at_once(
        [(people[1], "insert into interactions (family_unit_id, type, direction, coach_id) values (%s, 'email', 'inbound', %s) returning 'ok'", [family, coach])] * 5
        + [(people[0], "select ingest_posts(%s, %s) ->> 'added'", [family, json.dumps(posts)])] * 4
        + [(person, "delete from family_members where user_id = auth.uid() returning 'ok'", []) for person in people[:2]]
        + [(person, "delete from family_members where user_id = auth.uid() returning 'ok'", []) for person in people[2:]])
    expect("deadlocks when a family is deleted", work.count("40P01"), 0)
    left = races.owner("select (select count(*) from family_units), (select count(*) from interactions), "
                       "(select count(*) from social_media_posts), (select count(*) from highlight_shares), "
                       "(select count(*) from dismissed_posts), (select count(*) from post_notices)")
    expect("rows of a deleted family", left, [(0, 0, 0, 0, 0, 0)])
    return f"{CLIENTS} clients at once"
