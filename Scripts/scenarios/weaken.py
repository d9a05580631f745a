"""Prints the migrations' rules that no scenario checks, by removing each rule in a separate database."""

import re

import psycopg

from .database import print_survivors
from .on_postgres import Postgres
from .play import Tally, play

# No request can show these: PostgREST lacks the commands, and serves no other schema; functions that only functions
# call; locks (Scripts/supabase-test has 32 clients for them); and a function's search path, which needs another schema.
# Scenarios have no requests for the Storage, and the functions of schedules are tested in supabase/tests.
UNREACHABLE = re.compile(
    r"grant (truncate|references|trigger|maintain) |grant .* on private\.|rls private\."
    r"|grant private\.|trigger (join|stop)_writers|function .*: path|policy (avatars|attachments)_"
    r"|(take_pushes|drop_device|leftover_files|forget_old_notifications|private\.leave_folder)\(|trigger leave_folder")
# Mutations that change nothing that one request can see.
EQUIVALENT = {
    # Tables that no request reaches.
    "constraint mux_leftovers_kind_check: drop", "constraint shares_author_id_fkey: drop",
    "constraint upload_urls_upload_id_fkey: drop",
    "constraint limited_actions_name_fkey: drop", "constraint limited_actions_user_id_fkey: drop",
    "constraint age_rules_is_only_check: drop", "constraint age_rules_minimum_age_check: drop",
    "constraint age_rules_protected_until_check: drop",
    "constraint highlight_scores_completions_check: drop", "constraint highlight_scores_views_check: drop",
    "constraint labels_kind_check: drop", "constraint labels_name_check: drop",
    "constraint family_invite_codes_code_hash_check: drop", "constraint family_invite_codes_code_hash_key: drop",
    # The check of the handle rejects other platforms.
    "constraint social_cursors_platform_check: drop", "constraint social_media_posts_platform_check: drop",
    # The function that writes the log of decisions has the same rules.
    "constraint moderation_actions_check: drop", "constraint moderation_actions_target_type_check: drop",
    "trigger refuse_changes on private.moderation_actions: drop",
    # Without a right to the tables, the functions refuse visitors, too.
    "grant creator_analytics(integer,integer,integer) to anon", "grant creator_analytics_by_day(integer) to anon",
    "grant notification_groups(timestamp with time zone) to anon", "grant unread_notifications() to anon",
    "grant moderate(text,text,uuid,text,uuid,boolean) to anon", "grant moderation_queue(integer,integer) to anon",
    "grant moderation_log(integer,timestamp with time zone) to anon",
    "grant begin_sync(uuid,uuid) to anon", "grant create_family_invite(uuid,text,interval) to anon",
    # Included in the index on the lower case.
    "constraint profiles_username_key: drop",
    # Each column is granted.
    "grant insert on user_settings to authenticated", "grant update on user_settings to authenticated",
    # Everyone reads it, and only the service role writes it.
    "rls rate_limits: off",
    # Generated columns can't be written.
    *(f"grant {verb} (display_at) on interactions to {role}" for verb in ("insert", "update")
      for role in ("anon", "authenticated")),
    # Shows only with two clients at once; supabase/tests cover it.
    "trigger remove_dismissed on social_media_posts: drop",
} | {f"function {name}: invoker" for name in (
    # The service role has the owner's rights on what these read and write, or a definer calls them.
    "cancel_upload(uuid,uuid)", "upload_state(uuid,uuid)", "time_out_uploads()", "uploads_to_check(integer)",
    "private.publish(uploads,jsonb,text)", "private.upload_ticket(text,uploads)", "private.end_post(uploads,text,text)",
    "private.lock_post(uuid,uuid)", "request_account_deletion(uuid)", "private.show_playable(uuid)",
    "private.is_playable(uuid,text,text[])", "private.is_ready_asset(uuid,text)",
    "private.add_counts(uuid,integer,integer)", "private.can_find(uuid)", "private.can_write_to(uuid,uuid)",
    "private.find_labels(text,text,integer,integer)", "private.is_protected(uuid)", "private.learn_words(text[])",
    "private.meant_words(text)", "private.search_condition(text,text)", "private.viewer_key()",
    # Storage, which the local backend lacks; supabase/tests cover it.
    "private.is_stored(uuid,text)", "show_playable_highlights(text)",
    # Policies return the same rows, only slower, or reject earlier.
    "discover_highlights(integer,integer)", "highlights_with_tag(text,integer,timestamp with time zone,uuid)",
    "following_feed(integer,timestamp with time zone,uuid)",
    "private.can_see_highlight(uuid,text,boolean)", "private.has_level(uuid,text)", "private.refuse_blocked()",
    "private.can_see_notification(uuid,uuid)", "private.notify(uuid,text,uuid,uuid,uuid,uuid)",
    "private.notify_mention()", "private.refuse_restricted_upload()", "private.require_moderator()",
    "private.offense_count(uuid)", "private.reported_text(text,uuid)",
    "private.can_list_profile(uuid)",
    # Policies let the caller read and delete the same rows.
    "cascade_delete_interaction(uuid,boolean)", "private.may_invite(uuid,uuid,text)",
    # A definer calls them.
    "private.remove_dismissed_posts()", "private.require_family(uuid,text)", "private.renew_sync(uuid,uuid)",
    "private.add_posts(uuid,jsonb)")}
# The rules of the migrations after the first one, up to the second one, have no scenarios: facts of assets, signed playback
# and trims, which supabase/tests cover.
FOLLOWED, RESUMED = "20261124002", "20261124"
# Without its own policy, a right to insert leads to the same refusal.
INSERTING = """
    select tablename::text, role::text from pg_policies, unnest(roles) as role
    where schemaname = 'public' and cmd in ('INSERT', 'ALL')"""


def is_noticed(driver, statement, worlds):
    """Whether a step has another result."""
    driver.open(statement)
    try:
        for world, scenarios in worlds:
            driver.begin()
            for scenario in scenarios:
                for _ in play(driver, world, scenario, Tally()):
                    return True
        return False
    except (psycopg.Error, KeyError, TypeError):
        # A scenario cannot even be prepared.
        return True
    finally:
        driver.close()


def likely_first(worlds, statement):
    """The scenarios that mention the statement's names most come first: most mutations are noticed there."""
    words = {*re.findall(r"[a-z_]+", statement), *re.findall(r"[a-z]+", statement)}

    def mentions(scenario):
        steps = [step for step in scenario["steps"] if not words.isdisjoint(
            value for value in step.values() if isinstance(value, str))]
        return -len(steps) / len(scenario["steps"])

    ordered = [(world, sorted(scenarios, key=mentions)) for world, scenarios in worlds]
    return sorted(ordered, key=lambda pair: mentions(pair[1][0]))


def run(server, worlds, only):
    inserting = set(server.execute(INSERTING, "base", "postgres"))
    known = {}
    for last in FOLLOWED, RESUMED:
        server.migrate(f"until_{last}", last)
        known[last] = {name for name, _ in server.mutations(f"until_{last}")}
    skipped = known[RESUMED] - known[FOLLOWED]

    def is_reachable(name):
        grant = re.match(r"grant insert (?:\(\w+\) )?on (\w+) to (anon|authenticated)$", name)
        return (name not in skipped and name not in EQUIVALENT and not UNREACHABLE.search(name)
                and (grant is None or grant.groups() in inserting))

    chosen = [(name, statement) for name, statement in server.mutations()
              if is_reachable(name) and (not only or any(part in name for part in only))]
    # A step that fails anyway would hide all survivors.
    if is_noticed(Postgres(server), None, worlds):
        print("a scenario fails without a mutation: run Scripts/conformance")
        return False
    return print_survivors(chosen, [Postgres(server), Postgres(server)], lambda driver, _, statement: is_noticed(
        driver, statement, likely_first(worlds, statement)))
