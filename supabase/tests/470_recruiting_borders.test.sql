-- Nothing of a family can be read, changed or deleted by people outside of it. The tables and functions are found in the
-- catalog, so that new ones are tested, too.
begin;
\ir support/helpers.psql
\ir support/recruiting.psql
select no_plan();
select tests.sign_up('ann', 'dan', 'pam', 'gone', 'eve', 'bob');
select tests.family('home', 'athlete ann', 'athlete dan', 'parent pam', 'athlete gone'), tests.family('other', 'athlete eve', 'parent bob');
select tests.school('home', 'Stanford'), tests.coach('home', 'John', 'Stanford', 'coach');
select tests.share('ann', 'clip');
-- A row in each table, by a member who is removed afterwards, and by one who stays.
select tests.as_user('pam');
select count(*) from create_family_invite(tests.id('home'), 'athlete');
select ingest_posts(tests.id('home'), jsonb_build_array(tests.post(1), tests.post(2), tests.post(3)));
delete from social_media_posts where post_url like '%/3';
select tests.as_user('ann');
select id from send_highlight(tests.id('link'), repeat('t', 32), tests.id('home'), tests.id('clip'), tests.id('John'), 'email');
select tests.as_user('gone');
insert into interactions (family_unit_id, type, direction) values (tests.id('home'), 'text', 'inbound');
select tests.as_user('pam');
delete from family_members where user_id = tests.id('gone');

select tests.as_owner();
create table tests.bordered as
select c.relname::text as name, case c.relname when 'family_units' then 'id' else 'family_unit_id' end as key
from pg_class c
where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and (c.relname = 'family_units' or exists (
  select from pg_attribute a where a.attrelid = c.oid and a.attname = 'family_unit_id' and not a.attisdropped));
grant select on tests.bordered to authenticated, anon;
select cmp_ok((select count(*) from tests.bordered), '>=', 10::bigint, 'the tables of a family are found');
create function tests.rows(name text, key text) returns bigint language plpgsql as $$
declare
  number bigint;
begin
  execute format('select count(*) from public.%I where %I = %L', name, key, tests.id('home')) into number;
  return number;
exception when insufficient_privilege then return 0;
end;
$$;
-- How many rows of the family a statement touches; undone.
create function tests.reached(statement text) returns bigint language plpgsql as $$
declare
  number bigint;
begin
  execute statement;
  get diagnostics number = row_count;
  raise sqlstate 'BSC00' using message = number::text;
exception
  when sqlstate 'BSC00' then return sqlerrm::bigint;
  when insufficient_privilege then return 0;
end;
$$;
grant execute on function tests.rows(text, text), tests.reached(text) to authenticated, anon, service_role;
select cmp_ok(tests.rows(name, key), '>', 0::bigint, 'the family has rows in ' || name) from tests.bordered;

create function pg_temp.outsider(who text) returns void language plpgsql as $$
begin
  if who = 'a visitor' then perform tests.as_anon(); else perform tests.as_user(who); end if;
end;
$$;
create function pg_temp.border(who text, name text, key text) returns text language plpgsql as $$
declare
  assignments text;
begin
  perform pg_temp.outsider(who);
  select string_agg(format('%1$I = %1$I', attname), ', ') into assignments
  from pg_attribute a where a.attrelid = ('public.' || name)::regclass and attnum > 0 and not attisdropped
    and has_column_privilege('authenticated', a.attrelid, a.attnum, 'update');
  return concat_ws(' ', tests.rows(name, key),
    tests.reached(format('delete from public.%I where %I = %L', name, key, tests.id('home'))),
    case when assignments is not null then
      tests.reached(format('update public.%I set %s where %I = %L', name, assignments, key, tests.id('home'))) else 0 end);
end;
$$;
select is(pg_temp.border(who, name, key), '0 0 0', format('%s reads, deletes and changes nothing in %s', who, name))
from tests.bordered, unnest(array['eve', 'bob', 'gone', 'a visitor']) as who;

-- Functions with a family or the ID of a row: as seen from outside, the family doesn't exist.
select tests.as_owner();
create table tests.calls as
select format('%I(%s)', p.proname, (
    select string_agg(case
        when name = 'family' then quote_literal(tests.id('home'))
        when name = 'posts' then '''[]''' when type = 'uuid' then quote_literal(tests.id(case name when 'coach' then 'John' when 'highlight' then 'clip' else 'link' end))
        when name = 'role' then '''parent''' when name = 'token' then quote_literal(repeat('u', 32)) when name = 'channel' then '''dm''' when name = 'platform' then '''twitter'''
        when type = 'boolean' then 'true' else '''x''' end || '::' || type, ', ' order by place)
    from (
      select place, (p.proargnames)[place] as name, format_type((p.proargtypes)[place - 1], null) as type
      from generate_series(1, p.pronargs - p.pronargdefaults) as place) argument)) as call
from pg_proc p
where p.pronamespace = 'public'::regnamespace and has_function_privilege('authenticated', p.oid, 'execute')
  and ('family' = any (p.proargnames) or p.proname in ('revoke_highlight_share', 'cascade_delete_interaction'));
grant select on tests.calls to authenticated, anon;
select cmp_ok((select count(*) from tests.calls), '>=', 12::bigint, 'the functions of a family are found');
create function pg_temp.called(who text, call text) returns text language plpgsql as $$
declare
  result text;
begin
  perform pg_temp.outsider(who);
  execute format('select string_agg(r::text, '' '') from public.%s as r', call) into result;
  return regexp_replace(coalesce(result, ''), '"days": \[[^]]*\]', '');
exception when others then return sqlstate;
end;
$$;
select matches(pg_temp.called(who, call), '^(|42501|PT404|\(0,0,0,0\)|\{[^1-9]*\})$', format('%s calls %s', who, call))
from tests.calls, unnest(array['eve', 'bob', 'gone', 'a visitor']) as who;
select tests.as_owner();
select results_eq('select revoked_at is null, open_count from highlight_shares', 'values (true, 0)', 'the link is untouched');

-- Athletes of one family don't see what the others log and send.
select tests.as_user('dan');
select is((select count(*) from interactions) + (select count(*) from highlight_shares), 0::bigint, 'an athlete sees own contacts only');
select is((select count(*) from post_notices where user_id <> tests.id('dan')), 0::bigint, 'and own notices');
select is((select count(*) from interactions where logged_by = tests.id('gone')), 0::bigint, 'also not of a former member');
select tests.as_user('pam');
select is((select count(*) from interactions), 2::bigint, 'a parent sees all, also of a former member');

-- Only clients at once show the locks (Scripts/supabase-test, recruiting-races), and no client reaches the private tables.
select tests.as_owner();
select results_eq($$select tgrelid::regclass::text collate "C", tgname::text collate "C" from pg_trigger where tgname in ('join_writers', 'stop_writers')
    and tgrelid::regclass::text in ('coaches', 'interactions', 'schools', 'social_media_posts', 'family_members', 'family_units') order by 1$$,
  $$values ('coaches' collate "C", 'join_writers' collate "C"), ('family_members', 'stop_writers'), ('family_units', 'stop_writers'), ('interactions', 'join_writers'),
    ('schools', 'join_writers'), ('social_media_posts', 'join_writers')$$, 'writers wait for a member who is removed');
select is_empty($$select from pg_class where oid in ('private.social_cursors'::regclass, 'private.social_syncs'::regclass) and not relrowsecurity$$, 'row-level security protects the private tables');
select * from finish();
rollback;
