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
select lives_ok(tests.follow('ann', 'bob'), 'ann can follow bob');
select lives_ok(tests.follow('ann', 'cat'), 'ann can follow a second user');
select is(tests.counts('bob'), '1/0', 'a follow increases the followers count');
select is(tests.counts('ann'), '0/2', 'each follow increases the following count');
select throws_ok(tests.follow('ann', 'bob'), '23505', null, 'a user cannot follow the same user twice');
select throws_ok(tests.follow('ann', 'ann'), '23514', null, 'a user cannot follow themselves');
select throws_ok(tests.follow('bob', 'ann'), '42501', null, 'a user cannot follow for another account');
select throws_ok(tests.follow('ann', 'fay'), '42501', null,
  'a user cannot follow a followers-only profile without a request');
select throws_ok(tests.follow('ann', 'pam'), '42501', null, 'a user cannot follow a private profile');
select throws_ok($$insert into follows (follower_id, following_id, created_at)
  values (tests.id('ann'), tests.id('eve'), 'epoch')$$, '42501', null, 'a user cannot set the date of a follow');
select throws_ok('update follows set following_id = follower_id', '42501', null, 'a user cannot update a follow');
select tests.as_owner();
select throws_ok(tests.follow('ann', 'nobody'), '23503', null, 'the followed account must exist');
select throws_ok(tests.follow('nobody', 'ann'), '23503', null, 'the following account must exist');

-- Read access to follows
select tests.as_anon();
select is((select count(*) from follows), 2::bigint, 'a visitor can see who follows whom');
select tests.as_owner();
update profiles set privacy_level = 'private' where id = tests.id('cat');
select tests.as_anon();
select is((select count(*) from follows), 1::bigint, 'a visitor cannot see a follow of a private profile');
select tests.as_owner();
update profiles set privacy_level = 'private' where id = tests.id('ann');
select tests.as_anon();
select is((select count(*) from follows), 0::bigint,
  'a visitor cannot see the follows of a user whose profile is private');
select tests.as_owner();
update profiles set privacy_level = 'public' where id in (tests.id('ann'), tests.id('cat'));

-- Unfollowing
select tests.as_user('eve');
select is(tests.touched('delete from follows'), 0::bigint, 'a user cannot delete follows between other users');
select tests.as_user('cat');
select is(tests.touched('delete from follows'), 1::bigint, 'a user can remove a follower');
select is(tests.counts('cat'), '0/0', 'removing a follower decreases the followers count');
select tests.as_user('ann');
select is(tests.touched('delete from follows'), 1::bigint, 'a user can unfollow');
select is(tests.counts('ann') || ' ' || tests.counts('bob'), '0/0 0/0', 'unfollowing decreases both counters');

-- Follow requests
select lives_ok(tests.ask('ann', 'fay'), 'a user can request to follow a followers-only profile');
select throws_ok(tests.ask('ann', 'fay'), '23505', null, 'a user cannot request to follow the same profile twice');
select throws_ok(tests.ask('eve', 'fay'), '42501', null, 'a user cannot send a request for another account');
select throws_ok(tests.ask('ann', 'bob'), '42501', null, 'a user cannot send a request to a public profile');
select throws_ok(tests.ask('ann', 'pam'), '42501', null, 'a user cannot send a request to a private profile');
select throws_ok('update follow_requests set target_id = requester_id', '42501', null,
  'a user cannot update a request');
select throws_ok(format('select accept_follow_request(%L)', tests.id('ann')), 'PT404', null,
  'the requester cannot accept their own request');
select is((select count(*) from follow_requests), 1::bigint, 'the requester can see the request');
select tests.as_user('eve');
select is((select count(*) from follow_requests), 0::bigint, 'other users cannot see the request');
select is(tests.touched('delete from follow_requests'), 0::bigint, 'other users cannot cancel the request');
select lives_ok(tests.ask('eve', 'fay'), 'a second user can send a request to the same profile');
select is(tests.touched('delete from follow_requests'), 1::bigint, 'the requester can cancel the request');
select tests.ask('eve', 'fay') as sql \gset
:sql;
select tests.as_user('fay');
select is((select count(*) from follow_requests), 2::bigint, 'the target can see all requests');
select lives_ok(format('select accept_follow_request(%L)', tests.id('ann')), 'the target can accept a request');
select is(tests.counts('fay'), '1/0', 'accepting a request creates a follow');
select is((select count(*) from follow_requests), 1::bigint, 'accepting a request deletes it');
select is(tests.touched('delete from follow_requests'), 1::bigint, 'the target can decline a request');
select tests.as_anon();
select throws_ok('select accept_follow_request(gen_random_uuid())', '42501', null, 'a visitor cannot accept a request');
select throws_ok('select from follow_requests', '42501', null, 'a visitor cannot see requests');
select tests.as_owner();
select throws_ok(tests.ask('ann', 'ann'), '23514', null, 'a user cannot send a request to themselves');
select throws_ok(tests.ask('nobody', 'ann'), '23503', null, 'the requesting account must exist');
select throws_ok(tests.ask('ann', 'nobody'), '23503', null, 'the target account must exist');

-- A follow completes a pending request.
select tests.as_user('eve');
select tests.ask('eve', 'fay') as sql \gset
:sql;
select tests.as_owner();
update profiles set privacy_level = 'public' where id = tests.id('fay');
select tests.as_user('eve');
select lives_ok(tests.follow('eve', 'fay'), 'a user with a pending request can follow a profile that became public');
select is((select count(*) from follow_requests), 0::bigint, 'a follow deletes the pending request');
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
  'ann can block bob');
select throws_ok($$insert into user_blocks (blocker_id, blocked_id) values (tests.id('ann'), tests.id('bob'))$$, '23505',
  null, 'a user cannot block the same user twice');
select throws_ok($$insert into user_blocks (blocker_id, blocked_id) values (tests.id('ann'), tests.id('ann'))$$, '23514',
  null, 'a user cannot block themselves');
select throws_ok($$insert into user_blocks (blocker_id, blocked_id) values (tests.id('bob'), tests.id('cat'))$$, '42501',
  null, 'a user cannot block for another account');
select throws_ok($$insert into user_blocks (blocker_id, blocked_id, reason)
  values (tests.id('ann'), tests.id('eve'), repeat('x', 501))$$, '23514', null,
  'a reason is limited to 500 characters');
select is(tests.counts('ann'), '0/1', 'a block deletes the follows between the two users, but no others');
select is_empty('select from follow_requests', 'a block deletes the follow requests between the two users');
select is((select count(*) from user_blocks), 1::bigint, 'the blocking user can see the block');
select is_empty($$select from profiles where id = tests.id('bob')$$,
  'the blocking user cannot see the blocked user''s profile');
select throws_ok(tests.follow('ann', 'bob'), '42501', null, 'the blocking user cannot follow the blocked user');
select tests.as_user('bob');
select is((select count(*) from user_blocks), 0::bigint, 'the blocked user cannot see the block');
select is_empty($$select from profiles where id = tests.id('ann')$$,
  'the blocked user cannot see the blocking user''s profile');
select throws_ok(tests.follow('bob', 'ann'), '42501', null, 'the blocked user cannot follow the blocking user');
select is(tests.touched('delete from user_blocks'), 0::bigint, 'the blocked user cannot delete the block');
select throws_ok('update user_blocks set blocker_id = blocked_id', '42501', null, 'a user cannot update a block');
select is_empty($$select from follows where tests.id('ann') in (follower_id, following_id)$$,
  'the blocked user cannot see the follows of the blocking user');
select tests.as_anon();
select throws_ok('select from user_blocks', '42501', null, 'a visitor cannot see blocks');
select isnt_empty($$select from profiles where id = tests.id('bob')$$, 'a visitor can see the blocked user''s profile');
select tests.as_user('ann');
select is(tests.touched('delete from user_blocks'), 1::bigint, 'the blocking user can delete the block');
select isnt_empty($$select from profiles where id = tests.id('bob')$$,
  'the user can see the profile again after deleting the block');
select tests.as_owner();
select throws_ok($$insert into user_blocks (blocker_id, blocked_id) values (tests.id('ann'), tests.id('nobody'))$$, '23503',
  null, 'the blocked account must exist');
select throws_ok($$insert into user_blocks (blocker_id, blocked_id) values (tests.id('nobody'), tests.id('ann'))$$, '23503',
  null, 'the blocking account must exist');

-- Mutes
select tests.as_user('ann');
select lives_ok($$insert into user_mutes (muter_id, muted_id) values (tests.id('ann'), tests.id('bob'))$$,
  'ann can mute bob');
select throws_ok($$insert into user_mutes (muter_id, muted_id) values (tests.id('ann'), tests.id('bob'))$$, '23505', null,
  'a user cannot mute the same user twice');
select throws_ok($$insert into user_mutes (muter_id, muted_id) values (tests.id('ann'), tests.id('ann'))$$, '23514', null,
  'a user cannot mute themselves');
select throws_ok($$insert into user_mutes (muter_id, muted_id) values (tests.id('bob'), tests.id('cat'))$$, '42501', null,
  'a user cannot mute for another account');
select throws_ok('update user_mutes set muter_id = muted_id', '42501', null, 'a user cannot update a mute');
select is((select count(*) from user_mutes), 1::bigint, 'the muting user can see the mute');
select tests.as_user('bob');
select is((select count(*) from user_mutes), 0::bigint, 'the muted user cannot see the mute');
select is(tests.touched('delete from user_mutes'), 0::bigint, 'the muted user cannot delete the mute');
select tests.as_anon();
select throws_ok('select from user_mutes', '42501', null, 'a visitor cannot see mutes');
select tests.as_user('ann');
select is(tests.touched('delete from user_mutes'), 1::bigint, 'the muting user can delete the mute');
select tests.as_owner();
select throws_ok($$insert into user_mutes (muter_id, muted_id) values (tests.id('ann'), tests.id('nobody'))$$, '23503',
  null, 'the muted account must exist');
select throws_ok($$insert into user_mutes (muter_id, muted_id) values (tests.id('nobody'), tests.id('ann'))$$, '23503',
  null, 'the muting account must exist');

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
select is(tests.counts('ann') || ' ' || tests.counts('bob'), '0/0 0/0',
  'deleting an account updates the counters of other users');
select is_empty('select from follows', 'deleting an account deletes its follows');
select is_empty('select from follow_requests', 'deleting an account deletes its follow requests');
select is_empty('select from user_mutes', 'deleting an account deletes its mutes');
select is_empty('select from user_blocks', 'deleting an account deletes its blocks');

select * from finish();
rollback;
