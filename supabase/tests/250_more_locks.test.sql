-- The locks of statements of later migrations, like in `140_locks`.
begin;
\ir support/helpers.psql
\ir support/locks.psql
select no_plan();
insert into auth.users (id) values (tests.id('ann'));

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
