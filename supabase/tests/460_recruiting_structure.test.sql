-- Which statements of recruiting take which lock (140_locks), and which index its lists use.
begin;
\ir support/helpers.psql
\ir support/locks.psql
\ir support/recruiting.psql
select no_plan();
-- Nothing here may take a lock, because the transaction keeps it.
insert into auth.users (id) values (tests.id('ann')), (tests.id('eve'));
alter table highlights disable trigger user;
alter table coaches disable trigger user;
select tests.family('home', 'athlete ann'), tests.family('other', 'athlete eve');
select tests.coach('home', 'John');
insert into highlights (id, author_id, mux_playback_id, duration, rally_metadata) values (tests.id('clip'), tests.id('ann'), 'PB', 12,
  '{"duration": 12, "confidence": 0, "quality": 0, "detection_count": 0}');
alter table highlights enable trigger user;
alter table coaches enable trigger user;

select is(tests.lock(statement), 'ShareLock', 'takes the shared lock: ' || statement)
from unnest(array[
  'insert into schools (family_unit_id, name) select id, name from family_units where false', 'update schools set name = name where false',
  'insert into coaches (family_unit_id, first_name, last_name) select id, name, name from family_units where false', 'update coaches set role = role where false',
  'update social_media_posts set notes = notes where false', 'delete from social_media_posts where false',
  'insert into interactions (family_unit_id, type, direction) select id, name, name from family_units where false',
  'update interactions set subject = subject where false', 'delete from interactions where false']) as statement;
select tests.as_user('ann');
select is(tests.lock(statement), 'ShareLock', 'takes the shared lock: ' || statement)
from unnest(array['select create_family(''x'')', 'select create_family_invite(tests.id(''home''), ''parent'')', 'select ingest_posts(tests.id(''home''), ''[]'')',
  'select begin_sync(tests.id(''home''))', 'select finish_sync(tests.id(''home''))', 'select save_sync_state(tests.id(''home''), ''twitter'', ''x'')',
  'select send_highlight(tests.id(''x''), repeat(''x'', 32), tests.id(''home''), tests.id(''clip''), tests.id(''John''), ''dm'')']) as statement;
select tests.as_owner();
select is(tests.lock(statement), 'ExclusiveLock', 'takes the exclusive lock: ' || statement)
from unnest(array['delete from family_members where false', 'delete from family_units where false']) as statement;

-- Lists of one family among many.
alter table social_media_posts disable trigger user;
alter table interactions disable trigger user;
insert into family_units (id, name) select tests.id('family' || number), 'x' from generate_series(1, 50) as number;
insert into social_media_posts (family_unit_id, coach_id, platform, post_url, post_content, post_date, author_handle, author_name, flagged_for_review)
select tests.id('family' || 1 + number % 50), null, 'twitter', 'https://twitter.com/x/status/' || number, '', now() - make_interval(mins => number), 'x', 'x', number % 100 = 0
from generate_series(1, 5000) as number;
insert into interactions (family_unit_id, logged_by, type, direction, occurred_at)
select tests.id('family' || 1 + number % 50), tests.id(case when number % 20 = 0 then 'ann' else 'eve' end), 'email', 'inbound', now() - make_interval(mins => number)
from generate_series(1, 5000) as number;
insert into family_members (family_unit_id, user_id, role) values (tests.id('family1'), tests.id('ann'), 'parent');
analyze family_members, family_units, social_media_posts, interactions, coaches;
create function tests.plan(query text) returns text language plpgsql as $$
declare
  line text;
  plan text := '';
begin
  for line in execute 'explain (costs off) ' || query loop plan := plan || line || E'\n'; end loop;
  return plan;
end;
$$;
grant execute on function tests.plan(text) to authenticated;
select tests.as_user('ann');
select matches(tests.plan(query), index, 'uses the index ' || index || ': ' || query)
from (values
  ('select * from social_media_posts where family_unit_id = tests.id($$family1$$) order by post_date desc, id desc limit 50', 'social_media_posts_newest'),
  ('select * from social_media_posts where family_unit_id = tests.id($$family1$$) and flagged_for_review order by post_date desc limit 50', 'social_media_posts_(flagged|newest)'),
  ('select * from social_media_posts where coach_id = tests.id($$John$$) order by post_date desc limit 50', 'social_media_posts_coach'),
  ('select * from interactions where family_unit_id = tests.id($$family1$$) order by display_at desc, id limit 50', 'interactions_family'),
  ('select * from interactions where logged_by = tests.id($$ann$$) order by display_at desc limit 50', 'interactions_member')) as list (query, index);
select matches(tests.plan('select * from ' || name), 'hashed SubPlan', 'the caller''s families are read once per statement: ' || name)
from unnest(array['social_media_posts', 'interactions', 'coaches', 'schools', 'highlight_shares']) as name;

select * from finish();
rollback;
