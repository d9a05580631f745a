-- Follows, follow requests, blocks and mutes: rows, counters and row rules.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob', 'cat', 'fay', 'pam', 'eve');
update profiles set privacy_level = 'followers_only' where id = tests.id('fay');
update profiles set privacy_level = 'private' where id = tests.id('pam');

create function tests.follow(follower text, followed text) returns text language sql as $$
  select format('insert into public.follows (follower_id, following_id) values (%L, %L)',
    tests.id(follower), tests.id(followed));
$$;
create function tests.ask(requester text, target text) returns text language sql as $$
  select format('insert into public.follow_requests (requester_id, target_id) values (%L, %L)',
    tests.id(requester), tests.id(target));
$$;
create function tests.counts(name text) returns text language sql security definer as $$
  select followers_count || '/' || following_count from public.profiles where id = tests.id(name);
$$;

-- Following
select tests.as_user('ann');
select lives_ok(tests.follow('ann', 'bob'), 'ann follows bob');
select lives_ok(tests.follow('ann', 'cat'), 'and cat');
select is(tests.counts('bob'), '1/0', 'bob has a follower');
select is(tests.counts('ann'), '0/2', 'ann follows two');
select throws_ok(tests.follow('ann', 'bob'), '23505', null, 'once');
select throws_ok(tests.follow('ann', 'ann'), '23514', null, 'not herself');
select throws_ok(tests.follow('bob', 'ann'), '42501', null, 'following for another account is refused');
select throws_ok(tests.follow('ann', 'fay'), '42501', null, 'followers-only profiles require a request');
select throws_ok(tests.follow('ann', 'pam'), '42501', null, 'private people have no followers');
select throws_ok($$insert into follows (follower_id, following_id, created_at)
  values (tests.id('ann'), tests.id('eve'), 'epoch')$$, '42501', null, 'dates are not writable');
select throws_ok('update follows set following_id = follower_id', '42501', null, 'a follow does not change');
select tests.as_owner();
select throws_ok(tests.follow('ann', 'nobody'), '23503', null, 'a follow has two ends');
select throws_ok(tests.follow('nobody', 'ann'), '23503', null, 'of people who exist');

-- Read access to follows
select tests.as_anon();
select is((select count(*) from follows), 2::bigint, 'anybody sees who follows whom');
select tests.as_owner();
update profiles set privacy_level = 'private' where id = tests.id('cat');
select tests.as_anon();
select is((select count(*) from follows), 1::bigint, 'unless one of them is private');
select tests.as_owner();
update profiles set privacy_level = 'private' where id = tests.id('ann');
select tests.as_anon();
select is((select count(*) from follows), 0::bigint, 'or the other');
select tests.as_owner();
update profiles set privacy_level = 'public' where id in (tests.id('ann'), tests.id('cat'));

-- Unfollowing
select tests.as_user('eve');
select is(tests.touched('delete from follows'), 0::bigint, 'unfollowing for another account does nothing');
select tests.as_user('cat');
select is(tests.touched('delete from follows'), 1::bigint, 'cat sends ann away');
select is(tests.counts('cat'), '0/0', 'and has no follower');
select tests.as_user('ann');
select is(tests.touched('delete from follows'), 1::bigint, 'ann unfollows');
select is(tests.counts('ann') || ' ' || tests.counts('bob'), '0/0 0/0', 'counters are back');

-- Follow requests
select lives_ok(tests.ask('ann', 'fay'), 'ann asks fay');
select throws_ok(tests.ask('ann', 'fay'), '23505', null, 'once');
select throws_ok(tests.ask('eve', 'fay'), '42501', null, 'for herself only');
select throws_ok(tests.ask('ann', 'bob'), '42501', null, 'public profiles need no request');
select throws_ok(tests.ask('ann', 'pam'), '42501', null, 'private profiles accept no requests');
select throws_ok('update follow_requests set target_id = requester_id', '42501', null, 'a request does not change');
select throws_ok(format('select accept_follow_request(%L)', tests.id('ann')), 'PT404', null,
  'ann does not accept it herself');
select is((select count(*) from follow_requests), 1::bigint, 'ann sees her request');
select tests.as_user('eve');
select is((select count(*) from follow_requests), 0::bigint, 'others do not');
select is(tests.touched('delete from follow_requests'), 0::bigint, 'others can''t cancel a request');
select lives_ok(tests.ask('eve', 'fay'), 'eve asks fay');
select is(tests.touched('delete from follow_requests'), 1::bigint, 'the requester can cancel it');
select tests.ask('eve', 'fay') as sql \gset
:sql;
select tests.as_user('fay');
select is((select count(*) from follow_requests), 2::bigint, 'fay sees both');
select lives_ok(format('select accept_follow_request(%L)', tests.id('ann')), 'fay accepts ann');
select is(tests.counts('fay'), '1/0', 'who follows now');
select is((select count(*) from follow_requests), 1::bigint, 'the request is done');
select is(tests.touched('delete from follow_requests'), 1::bigint, 'fay declines eve');
select tests.as_anon();
select throws_ok('select accept_follow_request(gen_random_uuid())', '42501', null, 'anon can''t accept a request');
select throws_ok('select from follow_requests', '42501', null, 'anon sees no requests');
select tests.as_owner();
select throws_ok(tests.ask('ann', 'ann'), '23514', null, 'requesting to follow oneself is refused');
select throws_ok(tests.ask('nobody', 'ann'), '23503', null, 'a request has two ends');
select throws_ok(tests.ask('ann', 'nobody'), '23503', null, 'of people who exist');

-- A follow completes a pending request.
select tests.as_user('eve');
select tests.ask('eve', 'fay') as sql \gset
:sql;
select tests.as_owner();
update profiles set privacy_level = 'public' where id = tests.id('fay');
select tests.as_user('eve');
select lives_ok(tests.follow('eve', 'fay'), 'fay went public, eve follows');
select is((select count(*) from follow_requests), 0::bigint, 'the request is deleted');
select tests.as_owner();
update profiles set privacy_level = 'followers_only' where id = tests.id('fay');

-- Blocks
select tests.follow('ann', 'bob') as sql \gset
:sql;
select tests.follow('bob', 'ann') as sql \gset
:sql;
select tests.ask('bob', 'ann') as sql \gset
:sql;
select tests.ask('ann', 'bob') as sql \gset
:sql;
select tests.as_user('ann');
select lives_ok($$insert into user_blocks (blocker_id, blocked_id, reason) values (tests.id('ann'), tests.id('bob'), 'spam')$$,
  'ann blocks bob');
select throws_ok($$insert into user_blocks (blocker_id, blocked_id) values (tests.id('ann'), tests.id('bob'))$$, '23505',
  null, 'once');
select throws_ok($$insert into user_blocks (blocker_id, blocked_id) values (tests.id('ann'), tests.id('ann'))$$, '23514',
  null, 'not herself');
select throws_ok($$insert into user_blocks (blocker_id, blocked_id) values (tests.id('bob'), tests.id('cat'))$$, '42501',
  null, 'other profiles stay visible');
select throws_ok($$insert into user_blocks (blocker_id, blocked_id, reason)
  values (tests.id('ann'), tests.id('eve'), repeat('x', 501))$$, '23514', null, 'a reason has 500 characters');
select is(tests.counts('ann'), '0/1', 'the follows between the two are deleted (fay''s remains)');
select is_empty('select from follow_requests', 'and the requests');
select is((select count(*) from user_blocks), 1::bigint, 'ann sees her block');
select is_empty($$select from profiles where id = tests.id('bob')$$, 'ann does not see bob');
select throws_ok(tests.follow('ann', 'bob'), '42501', null, 'the blocked person can''t follow');
select tests.as_user('bob');
select is((select count(*) from user_blocks), 0::bigint, 'bob does not learn of it');
select is_empty($$select from profiles where id = tests.id('ann')$$, 'he sees no ann');
select throws_ok(tests.follow('bob', 'ann'), '42501', null, 'and cannot follow her');
select is(tests.touched('delete from user_blocks'), 0::bigint, 'the blocked person can''t remove the block');
select throws_ok('update user_blocks set blocker_id = blocked_id', '42501', null, 'a block does not change');
select is_empty($$select from follows where tests.id('ann') in (follower_id, following_id)$$,
  'follows of hidden people are hidden');
select tests.as_anon();
select throws_ok('select from user_blocks', '42501', null, 'anon sees no blocks');
select isnt_empty($$select from profiles where id = tests.id('bob')$$, 'a block hides from the other only');
select tests.as_user('ann');
select is(tests.touched('delete from user_blocks'), 1::bigint, 'ann ends it');
select isnt_empty($$select from profiles where id = tests.id('bob')$$, 'and sees bob again');
select tests.as_owner();
select throws_ok($$insert into user_blocks (blocker_id, blocked_id) values (tests.id('ann'), tests.id('nobody'))$$, '23503',
  null, 'a block has two ends');
select throws_ok($$insert into user_blocks (blocker_id, blocked_id) values (tests.id('nobody'), tests.id('ann'))$$, '23503',
  null, 'of people who exist');

-- Mutes
select tests.as_user('ann');
select lives_ok($$insert into user_mutes (muter_id, muted_id) values (tests.id('ann'), tests.id('bob'))$$, 'ann mutes bob');
select throws_ok($$insert into user_mutes (muter_id, muted_id) values (tests.id('ann'), tests.id('bob'))$$, '23505', null,
  'once');
select throws_ok($$insert into user_mutes (muter_id, muted_id) values (tests.id('ann'), tests.id('ann'))$$, '23514', null,
  'not herself');
select throws_ok($$insert into user_mutes (muter_id, muted_id) values (tests.id('bob'), tests.id('cat'))$$, '42501', null,
  'other people are not muted');
select throws_ok('update user_mutes set muter_id = muted_id', '42501', null, 'a mute does not change');
select is((select count(*) from user_mutes), 1::bigint, 'ann sees her mute');
select tests.as_user('bob');
select is((select count(*) from user_mutes), 0::bigint, 'bob does not');
select is(tests.touched('delete from user_mutes'), 0::bigint, 'the muted person can''t remove the mute');
select tests.as_anon();
select throws_ok('select from user_mutes', '42501', null, 'anon sees no mutes');
select tests.as_user('ann');
select is(tests.touched('delete from user_mutes'), 1::bigint, 'ann ends it');
select tests.as_owner();
select throws_ok($$insert into user_mutes (muter_id, muted_id) values (tests.id('ann'), tests.id('nobody'))$$, '23503',
  null, 'a mute has two ends');
select throws_ok($$insert into user_mutes (muter_id, muted_id) values (tests.id('nobody'), tests.id('ann'))$$, '23503',
  null, 'of people who exist');

-- Deleting a profile deletes its relations and updates the counters of others.
delete from follows;
insert into follows (follower_id, following_id) values
  (tests.id('eve'), tests.id('ann')), (tests.id('ann'), tests.id('eve')), (tests.id('bob'), tests.id('eve'));
insert into follow_requests (requester_id, target_id) values
  (tests.id('eve'), tests.id('fay')), (tests.id('cat'), tests.id('eve'));
insert into user_mutes (muter_id, muted_id) values (tests.id('eve'), tests.id('fay')), (tests.id('cat'), tests.id('eve'));
insert into user_blocks (blocker_id, blocked_id) values
  (tests.id('eve'), tests.id('pam')), (tests.id('pam'), tests.id('eve'));
delete from auth.users where id = tests.id('eve');
select is(tests.counts('ann') || ' ' || tests.counts('bob'), '0/0 0/0', 'counters without eve');
select is_empty('select from follows', 'no follows without eve');
select is_empty('select from follow_requests', 'no requests');
select is_empty('select from user_mutes', 'no mutes');
select is_empty('select from user_blocks', 'no blocks');

select * from finish();
rollback;
