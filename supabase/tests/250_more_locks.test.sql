-- The locks of statements of later migrations, like in `140_locks`.
begin;
\ir support/helpers.psql
select no_plan();
insert into auth.users (id) values (tests.id('ann'));

-- The lock that a statement takes. The statement is rolled back.
create function tests.lock(statement text) returns text language plpgsql as $$
declare
  lock text;
begin
  execute statement;
  -- Cascades also take the shared lock.
  select min(mode) into lock from pg_locks
  where locktype = 'advisory' and classid = 0 and objid = 20261122 and pid = pg_backend_pid();
  raise sqlstate 'BSC00' using message = coalesce(lock, 'none');
exception when sqlstate 'BSC00' then
  return sqlerrm;
end;
$$;

select is(tests.lock(statement), 'ShareLock', 'shared lock: ' || statement)
from unnest(array[
  'insert into comment_reactions (user_id, comment_id, emoji) select id, id, bio from profiles where false',
  'delete from comment_reactions', 'update highlights set caption = caption', 'select public.fold_counters()', 'select public.aggregate_views()',
  $$update profiles set privacy_level = 'private' where false$$, 'delete from account_deletions',
  $$select public.record_playback('a', null, null)$$]) as statement;
select is(tests.lock('select public.close_videos()'), 'ExclusiveLock', 'exclusive lock: close_videos');
select is(tests.lock($$update profiles set username = 'x', privacy_level = 'private' where false$$), 'ExclusiveLock',
  'exclusive lock first: both');
select tests.as_user('ann');
select is(tests.lock($$select set_birth_date('2000-01-01')$$), 'ShareLock', 'shared lock: set_birth_date');
select is(tests.lock('select mark_notifications_read()'), 'ShareLock', 'shared lock: mark_notifications_read');

select tests.as_owner();
insert into auth.users (id) values (tests.id('mod'));
insert into moderators (user_id) values (tests.id('mod'));
select tests.as_user('mod');
select is(tests.lock($$select moderate('warn', 'user_profile', tests.id('ann'), 'x')$$), 'ExclusiveLock', 'exclusive lock: moderate');

select * from finish();
rollback;
