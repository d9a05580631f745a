-- Which statements take which lock (`join_writers`), to prevent deadlocks. A statement takes its lock before the first row,
-- so the tests need no rows.
begin;
\ir support/helpers.psql
\ir support/locks.psql
select no_plan();
insert into auth.users (id) values (tests.id('ann'));

select is(tests.lock(statement), 'ShareLock', 'takes the shared lock: ' || statement)
from unnest(array[
  'insert into follows (follower_id, following_id) select id, id from profiles where false',
  'delete from follows',
  'insert into follow_requests (requester_id, target_id) select id, id from profiles where false',
  'insert into highlights (author_id, mux_playback_id) select id, bio from profiles where false',
  'insert into likes (user_id, highlight_id) select id, id from profiles where false',
  'delete from likes',
  'insert into comments (author_id, highlight_id, text) select id, id, bio from profiles where false',
  'insert into comment_likes (user_id, comment_id) select id, id from profiles where false',
  'delete from comment_likes',
  'insert into poll_votes (poll_id, option_id, user_id) select id, id, id from profiles where false',
  'update poll_votes set option_id = option_id',
  'delete from poll_votes',
  $$select public.create_upload(tests.id('ann'), 'key', jsonb_build_object('highlight_id', tests.id('clip'), 'duration', 9))$$,
  $$select public.cancel_upload(tests.id('ann'), tests.id('clip'))$$,
  $$select public.apply_mux_event('event', 'video.asset.ready', '{}')$$]) as statement;
select is(tests.lock(statement), 'ExclusiveLock', 'takes the exclusive lock: ' || statement)
from unnest(array[
  'insert into user_blocks (blocker_id, blocked_id) select id, id from profiles where false',
  'delete from profiles', $$update profiles set username = 'ann' where false$$, 'delete from highlights',
  'delete from comments', 'delete from polls', 'select public.delete_expired_accounts()']) as statement;
select is(tests.lock($$update profiles set bio = 'hello'$$), 'none',
  'a statement that changes no counter takes no lock');

-- The lock comes before the row of the request, for which a block waits.
create function tests.report_lock() returns trigger language plpgsql as $$
begin
  raise sqlstate 'BSC00' using message = coalesce((
    select min(mode) from pg_locks
    where locktype = 'advisory' and classid = 0 and objid = 20261122 and pid = pg_backend_pid()), 'none');
end;
$$;
create trigger report_lock before delete on follow_requests for each statement execute function tests.report_lock();
select is(tests.lock($$select accept_follow_request(tests.id('ann'))$$), 'ShareLock', 'takes the lock first: accept_follow_request');
drop trigger report_lock on follow_requests;

-- A follow that waited for a block checks again. The policies are not evaluated here.
insert into auth.users (id) values (tests.id('eve'));
insert into user_blocks (blocker_id, blocked_id) values (tests.id('ann'), tests.id('eve'));
select throws_ok(
  format('insert into %s values (%L, %L)', place, tests.id(one), tests.id(other)), '42501', null,
  format('a block prevents a row in %s from %s to %s', place, one, other))
from unnest(array['follows (follower_id, following_id)', 'follow_requests (requester_id, target_id)']) as place,
  (values ('ann', 'eve'), ('eve', 'ann')) as pair (one, other);

select * from finish();
rollback;
