-- The limit of twenty rallies per hour: clients can read it, and exceeding it sets a flag.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob');

select tests.as_anon();
select results_eq($$select name, max_count, window_seconds from rate_limits where name = 'shared_rallies'$$,
  $$values ('shared_rallies', 20, 3600)$$,
  'a visitor can read the limit');
select throws_ok('update rate_limits set max_count = 99', '42501', null, 'a visitor cannot update the limit');
select throws_ok('select share_allowance()', '42501', null, 'a visitor has no allowance');
select tests.as_user('ann');
select throws_ok('update rate_limits set max_count = 99', '42501', null, 'a signed-in user cannot update the limit');
select is(share_allowance(), '{"max_count": 20, "window_seconds": 3600, "used": 0, "pending": 0, "remaining": 20,
  "next_at": null}', 'a new account has the entire allowance');

select tests.as_owner();
select tests.share('ann', 'clip ' || number) from generate_series(1, 20) as number;
select is_empty('select from account_flags', 'twenty highlights per hour set no flag');
select tests.as_user('ann');
select is((share_allowance() ->> 'used')::int, 20, 'the allowance counts all highlights of the last hour');
select is((share_allowance() ->> 'remaining')::int, 0, 'no allowance remains at the limit');
select is((share_allowance() ->> 'next_at')::timestamptz, now() + interval '1 hour',
  'the next highlight is allowed when the oldest one is an hour old');
select is(tests.touched($$delete from highlights where caption = 'clip 1'$$), 1::bigint,
  'an author can delete one of the counted highlights');
select is((share_allowance() ->> 'used')::int, 20, 'deleting a highlight does not increase the allowance');
select lives_ok($$insert into highlights (author_id, mux_playback_id, duration) values (tests.id('ann'), 'PB', 9)$$,
  'a highlight over the limit is accepted');
select results_eq('select user_id, reason, observed_count from account_flags',
  $$values (tests.id('ann'), 'shared_rallies', 21)$$, 'a highlight over the limit sets a flag');
select lives_ok($$insert into highlights (author_id, mux_playback_id, duration) values (tests.id('ann'), 'PB', 9)$$,
  'a second highlight over the limit is accepted');
select is((select count(*) from account_flags), 1::bigint, 'an account gets one flag per hour');
select throws_ok('delete from account_flags', '42501', null, 'a user cannot delete a flag');
select throws_ok('update account_flags set observed_count = 0', '42501', null, 'a user cannot update a flag');
select throws_ok($$insert into account_flags (user_id, reason, observed_count) values (tests.id('bob'), 'shared_rallies', 1)$$,
  '42501', null, 'a user cannot insert a flag for another account');
select throws_ok('select from private.shares', '42501', null, 'a user cannot read the share counts');
select tests.as_user('bob');
select is((select count(*) from account_flags), 0::bigint, 'another user cannot see the flag');
select is((share_allowance() ->> 'used')::int, 0, 'each user has a separate allowance');
select tests.as_anon();
select throws_ok('select from account_flags', '42501', null, 'a visitor cannot see flags');

-- One hour later.
select tests.as_owner();
update private.shares set created_at = created_at - interval '1 hour';
update account_flags set created_at = created_at - interval '1 hour';
select tests.as_user('ann');
select is((share_allowance() ->> 'remaining')::int, 20, 'the entire allowance is available after an hour');
select tests.as_owner();
select tests.share('ann', 'later ' || number) from generate_series(1, 21) as number;
select is((select count(*) from account_flags), 2::bigint, 'exceeding the limit in the next hour sets a second flag');

-- Unfinished uploads count.
insert into uploads (author_id, idempotency_key, highlight_id, duration, attempt, status, expires_at)
values
  (tests.id('bob'), 'a', gen_random_uuid(), 9, 1, 'waiting', now() + interval '1 hour'),
  (tests.id('bob'), 'b', gen_random_uuid(), 9, 1, 'waiting', now()),
  (tests.id('bob'), 'c', gen_random_uuid(), 9, 1, 'asset_created', now()),
  (tests.id('bob'), 'd', gen_random_uuid(), 9, 1, 'errored', now() + interval '1 hour');
select tests.as_user('bob');
select is(share_allowance() ->> 'pending', '2', 'unfinished uploads are pending');
select is(share_allowance() ->> 'remaining', '18', 'pending uploads reduce the remaining allowance');

-- Constraints.
select tests.as_owner();
select throws_ok('update rate_limits set max_count = 0', '23514', null, 'a limit of zero is rejected');
select throws_ok('update rate_limits set window_seconds = 0', '23514', null, 'a window of zero is rejected');
select throws_ok($$update account_flags set reason = 'mood'$$, '23503', null,
  'an unknown reason for a flag is rejected');
select throws_ok($$update account_flags set user_id = tests.id('nobody')$$, '23503', null,
  'the account of a flag must exist');
select throws_ok($$update private.shares set author_id = tests.id('nobody')$$, '23503', null,
  'the author of a share must exist');
delete from auth.users where id = tests.id('ann');
select is_empty('select from account_flags', 'deleting an account deletes its flags');
select is_empty($$select from private.shares where author_id = tests.id('ann')$$,
  'deleting an account deletes its share counts');
-- Row-level security, even if a grant were missing its restriction.
grant usage on schema private to authenticated;
grant select on private.shares to authenticated;
insert into private.shares (author_id) values (tests.id('bob'));
grant update on rate_limits to authenticated;
select tests.as_user('bob');
select is((select count(*) from private.shares), 0::bigint,
  'row-level security hides the share counts, even with a grant');
select is(tests.touched('update rate_limits set max_count = 99'), 0::bigint,
  'row-level security prevents an update of the limit, even with a grant');

select * from finish();
rollback;
