-- The limit of twenty rallies per hour: clients can read it, and exceeding it sets a flag.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob');

select tests.as_anon();
select results_eq('select name, max_count, window_seconds from rate_limits', $$values ('shared_rallies', 20, 3600)$$,
  'everybody reads the limit');
select throws_ok('update rate_limits set max_count = 99', '42501', null, 'and does not change it');
select throws_ok('select share_allowance()', '42501', null, 'anon has no allowance');
select tests.as_user('ann');
select throws_ok('update rate_limits set max_count = 99', '42501', null, 'not even the account itself');
select is(share_allowance(), '{"max_count": 20, "window_seconds": 3600, "used": 0, "pending": 0, "remaining": 20,
  "next_at": null}', 'a new account has all');

select tests.as_owner();
select tests.share('ann', 'clip ' || number) from generate_series(1, 20) as number;
select is_empty('select from account_flags', 'twenty are fine');
select tests.as_user('ann');
select is((share_allowance() ->> 'used')::int, 20, 'all are used');
select is((share_allowance() ->> 'remaining')::int, 0, 'none remain');
select is((share_allowance() ->> 'next_at')::timestamptz, now() + interval '1 hour', 'until the oldest leaves the hour');
select is(tests.touched($$delete from highlights where caption = 'clip 1'$$), 1::bigint, 'deleting one');
select is((share_allowance() ->> 'used')::int, 20, 'makes no room');
select lives_ok($$insert into highlights (author_id, mux_playback_id, duration) values (tests.id('ann'), 'PB', 9)$$,
  'one more is not refused');
select results_eq('select user_id, reason, observed_count from account_flags',
  $$values (tests.id('ann'), 'shared_rallies', 21)$$, 'but flagged');
select lives_ok($$insert into highlights (author_id, mux_playback_id, duration) values (tests.id('ann'), 'PB', 9)$$, 'again');
select is((select count(*) from account_flags), 1::bigint, 'there is one flag an hour');
select throws_ok('delete from account_flags', '42501', null, 'the account can''t delete it');
select throws_ok('update account_flags set observed_count = 0', '42501', null, 'or change');
select throws_ok($$insert into account_flags (user_id, reason, observed_count) values (tests.id('bob'), 'shared_rallies', 1)$$,
  '42501', null, 'or give to bob');
select throws_ok('select from private.shares', '42501', null, 'the share counts are not readable');
select tests.as_user('bob');
select is((select count(*) from account_flags), 0::bigint, 'bob does not see it');
select is((share_allowance() ->> 'used')::int, 0, 'and has an allowance of his own');
select tests.as_anon();
select throws_ok('select from account_flags', '42501', null, 'anon sees no flags');

-- One hour later.
select tests.as_owner();
update private.shares set created_at = created_at - interval '1 hour';
update account_flags set created_at = created_at - interval '1 hour';
select tests.as_user('ann');
select is((share_allowance() ->> 'remaining')::int, 20, 'an hour later all is back');
select tests.as_owner();
select tests.share('ann', 'later ' || number) from generate_series(1, 21) as number;
select is((select count(*) from account_flags), 2::bigint, 'and the next flag is set');

-- Unfinished uploads count.
insert into uploads (author_id, idempotency_key, highlight_id, duration, attempt, status, expires_at)
values
  (tests.id('bob'), 'a', gen_random_uuid(), 9, 1, 'waiting', now() + interval '1 hour'),
  (tests.id('bob'), 'b', gen_random_uuid(), 9, 1, 'waiting', now()),
  (tests.id('bob'), 'c', gen_random_uuid(), 9, 1, 'asset_created', now()),
  (tests.id('bob'), 'd', gen_random_uuid(), 9, 1, 'errored', now() + interval '1 hour');
select tests.as_user('bob');
select is(share_allowance() ->> 'pending', '2', 'two of bob''s are on their way');
select is(share_allowance() ->> 'remaining', '18', 'and taken from what remains');

-- Constraints.
select tests.as_owner();
select throws_ok('update rate_limits set max_count = 0', '23514', null, 'a limit is positive');
select throws_ok('update rate_limits set window_seconds = 0', '23514', null, 'and so is its window');
select throws_ok($$update account_flags set reason = 'mood'$$, '23503', null, 'a flag has a known reason');
select throws_ok($$update account_flags set user_id = tests.id('nobody')$$, '23503', null, 'and an account');
select throws_ok($$update private.shares set author_id = tests.id('nobody')$$, '23503', null, 'a share has an author');
delete from auth.users where id = tests.id('ann');
select is_empty('select from account_flags', 'flags go with the account');
select is_empty($$select from private.shares where author_id = tests.id('ann')$$, 'and so does what is counted');
-- Row-level security, even if a grant were missing its restriction.
grant usage on schema private to authenticated;
grant select on private.shares to authenticated;
insert into private.shares (author_id) values (tests.id('bob'));
grant update on rate_limits to authenticated;
select tests.as_user('bob');
select is((select count(*) from private.shares), 0::bigint, 'no row is visible, even with a grant');
select is(tests.touched('update rate_limits set max_count = 99'), 0::bigint, 'and no limit changes with the right to write');

select * from finish();
rollback;
