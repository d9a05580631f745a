"""Which rules of the migrations does no scenario notice? Each is taken away in a database of its own."""

import concurrent.futures
import queue
import re
import time

from .on_postgres import Postgres
from .play import Tally, play
from .wire import Refused

# No request can show these: PostgREST has no such commands, and serves no other schema; functions called by nobody but
# functions; locks, which are about requests at the same time (Scripts/supabase-test has 32 clients for those); and what
# a function finds where, which takes a hostile schema.
UNREACHABLE = re.compile(
    r"grant (truncate|references|trigger|maintain) |grant .* on private\.|rls private\."
    r"|grant private\.|trigger (join|stop)_writers|function .*: path")
# What changes nothing that one request could see.
EQUIVALENT = {
    # Of tables that no request reaches.
    "constraint mux_leftovers_kind_check: drop", "constraint shares_author_id_fkey: drop",
    "constraint upload_urls_upload_id_fkey: drop",
    # The index on its lower case holds more.
    "constraint profiles_username_key: drop",
    # Everybody reads it, and nobody but the service role may write it.
    "rls rate_limits: off",
    # The service role has the rights of the owner on what these read and write, or a definer calls them.
    "function cancel_upload(uuid,uuid): invoker", "function upload_state(uuid,uuid): invoker",
    "function time_out_uploads(): invoker", "function uploads_to_check(integer): invoker",
    "function private.publish(uploads,jsonb,text): invoker",
    "function private.upload_ticket(text,uploads): invoker",
    "function private.end_post(uploads,text,text): invoker", "function private.lock_post(uuid,uuid): invoker",
    "function request_account_deletion(uuid): invoker",
    "function private.show_playable(uuid): invoker", "function private.is_playable(uuid,text,text[]): invoker",
    "function private.is_ready_asset(uuid,text): invoker",
    # The Storage, which the local backend does not have; supabase/tests ask about it.
    "function private.is_stored(uuid,text): invoker", "function show_playable_highlights(text): invoker",
    # The policies give the same answer, slower; or refuse before.
    "function discover_highlights(integer,integer): invoker",
    "function highlights_with_tag(text,integer,timestamp with time zone): invoker",
    "function private.can_see_highlight(uuid,text,boolean): invoker", "function private.has_level(uuid,text): invoker",
    "function private.refuse_blocked(): invoker",
}
# Without a policy of its own, a right to insert ends in the same refusal.
INSERTING = """
    select tablename, role from pg_policies, unnest(roles) as role where schemaname = 'public' and cmd in ('INSERT', 'ALL')"""


def is_reachable(name, inserting):
    if name in EQUIVALENT or UNREACHABLE.search(name):
        return False
    match = re.match(r"grant insert (?:\(\w+\) )?on (\w+) to (anon|authenticated)$", name)
    return match is None or match.groups() in inserting


def noticed(driver, statement, worlds):
    """Whether one step of one scenario gives something else."""
    driver.open(statement)
    try:
        for world, scenarios in worlds:
            driver.begin()
            for scenario in scenarios:
                for _ in play(driver, world, scenario, Tally()):
                    return True
        return False
    except (Refused, ConnectionError, KeyError, TypeError):
        # A scenario cannot even be set up.
        return True
    finally:
        driver.close()


def likely_first(worlds, statement):
    """Those scenarios first that speak most of what the statement names: most mutations are noticed there."""
    words = {*re.findall(r"[a-z_]+", statement), *re.findall(r"[a-z]+", statement)}

    def mentions(scenario):
        steps = [step for step in scenario["steps"] if not words.isdisjoint(
            value for value in step.values() if isinstance(value, str))]
        return -len(steps) / len(scenario["steps"])

    ordered = [(world, sorted(scenarios, key=mentions)) for world, scenarios in worlds]
    return sorted(ordered, key=lambda pair: mentions(pair[1][0]))


def run(server, mutations, worlds, only):
    """Prints what no scenario notices, and says whether that is nothing."""
    begun, survivors = time.monotonic(), []
    inserting = {(table, role) for table, role in server.query("base", INSERTING)}
    reachable = [(name, statement) for name, statement in mutations if is_reachable(name, inserting)
                 and (not only or any(part in name for part in only))]
    drivers = queue.SimpleQueue()
    for _ in range(2):
        drivers.put(Postgres(server))

    def work(statement):
        driver = drivers.get()
        try:
            return noticed(driver, statement, likely_first(worlds, statement))
        finally:
            drivers.put(driver)

    pool = concurrent.futures.ThreadPoolExecutor(drivers.qsize())
    try:
        answers = [(name, pool.submit(work, statement)) for name, statement in reachable]
        for number, (name, answer) in enumerate(answers, 1):
            if not answer.result():
                survivors.append(name)
                print(f"survived  {name}", flush=True)
            elif number % 100 == 0:
                print(f"          {number} of {len(answers)}", flush=True)
    finally:
        # Ended early, nothing more begins.
        pool.shutdown(cancel_futures=True)
    print(f"{len(reachable) - len(survivors)} of {len(reachable)} mutations noticed ({len(mutations) - len(reachable)} "
          f"not played), {time.monotonic() - begun:.0f} s")
    return not survivors
