-- Account deletion: a grace period of seven days, then everything is deleted.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob', 'eve', 'fay');
select tests.share('ann', 'anns'), tests.share('bob', 'bobs');
update highlights set mux_asset_id = 'asset-ann' where id = tests.id('anns');

select tests.as_user('ann');
select throws_ok($$insert into account_deletions (user_id) values (tests.id('bob'))$$, '42501', null,
  'a user cannot request the deletion of another account');
select throws_ok($$insert into account_deletions (user_id, deletes_at) values (tests.id('ann'), now())$$, '42501', null,
  'a user cannot set the date of the deletion');
select lives_ok($$insert into account_deletions (user_id) values (tests.id('ann'))$$,
  'a user can request the deletion of their own account');
select results_eq('select user_id, deletes_at - requested_at from account_deletions',
  $$values (tests.id('ann'), interval '7 days')$$, 'an account is deleted seven days after the request');
select throws_ok($$insert into account_deletions (user_id) values (tests.id('ann'))$$, '23505', null,
  'a user cannot request the deletion twice');
select throws_ok('update account_deletions set deletes_at = now()', '42501', null,
  'a user cannot update the date of the deletion');
select tests.as_user('bob');
select is((select count(*) from account_deletions), 0::bigint, 'other users cannot see the request');
select is(tests.touched('delete from account_deletions'), 0::bigint, 'other users cannot cancel the request');
select is_empty($$select from profiles where id = tests.id('ann')$$, 'a pending deletion hides the profile');
select tests.as_anon();
select throws_ok('select from account_deletions', '42501', null, 'a visitor cannot see deletion requests');
select tests.as_user('ann');
select is(tests.touched('delete from account_deletions'), 1::bigint, 'a user can cancel the deletion');
select tests.as_user('bob');
select isnt_empty($$select from profiles where id = tests.id('ann')$$, 'the profile is visible after the cancellation');

-- The Edge Function requests the deletion for her.
select throws_ok($$select request_account_deletion(tests.id('ann'))$$, '42501', null,
  'a user cannot call request_account_deletion');
select tests.as_service();
select is(request_account_deletion(tests.id('ann')), now() + interval '7 days',
  'the service role can request the deletion of an account');
select tests.as_owner();
update account_deletions set deletes_at = now() + interval '1 day';
select tests.as_service();
select is(request_account_deletion(tests.id('ann')), now() + interval '1 day', 'a pending request keeps its date');
select throws_ok($$select request_account_deletion(tests.id('nobody'))$$, '23503', null,
  'the account in a call of request_account_deletion must exist');
select tests.as_owner();
delete from account_deletions;

-- Ann has rows in every table.
select tests.as_owner();
insert into follows (follower_id, following_id) values
  (tests.id('ann'), tests.id('bob')), (tests.id('bob'), tests.id('ann')), (tests.id('eve'), tests.id('ann'));
insert into likes (user_id, highlight_id) values (tests.id('ann'), tests.id('bobs')), (tests.id('bob'), tests.id('bobs'));
insert into comments (id, author_id, highlight_id, text) values
  (tests.id('hers'), tests.id('ann'), tests.id('bobs'), 'a'), (tests.id('his'), tests.id('bob'), tests.id('bobs'), 'b');
insert into comment_likes (user_id, comment_id) values (tests.id('ann'), tests.id('his'));
insert into polls (id, highlight_id, question) values (tests.id('poll'), tests.id('bobs'), '?');
insert into poll_options (id, poll_id, text) values (tests.id('yes'), tests.id('poll'), 'yes');
insert into poll_votes (poll_id, option_id, user_id) values (tests.id('poll'), tests.id('yes'), tests.id('ann'));
insert into account_deletions (user_id, deletes_at) values
  (tests.id('ann'), now()), (tests.id('eve'), now() - interval '1 day'), (tests.id('fay'), now() + interval '1 minute');
select tests.as_service();
select set_eq('select delete_expired_accounts(1)', array[tests.id('eve')],
  'delete_expired_accounts deletes the account that expired first');
select set_eq('select delete_expired_accounts()', array[tests.id('ann')],
  'delete_expired_accounts deletes the remaining expired account');
select is_empty('select delete_expired_accounts()', 'delete_expired_accounts keeps accounts that have not expired');
select tests.as_owner();
select is_empty($$select from auth.users where id = tests.id('ann')$$, 'an expired account is deleted');
select isnt_empty($$select from auth.users where id = tests.id('fay')$$, 'an account that has not expired is kept');
select is_empty($$select from profiles where id = tests.id('ann')$$, 'the profile of an expired account is deleted');
select results_eq($$select likes_count, comments_count from highlights where id = tests.id('bobs')$$, 'values (1, 1)',
  'the deletion updates the counters of highlights');
select is((select likes_count from comments where id = tests.id('his')), 0,
  'the deletion updates the counters of comments');
select results_eq($$select followers_count, following_count from profiles where id = tests.id('bob')$$, 'values (0, 0)',
  'the deletion updates the counters of profiles');
select results_eq('select total_votes, vote_count from polls join poll_options on poll_id = polls.id', 'values (0, 0)',
  'the deletion updates the counters of polls');
select isnt_empty($$select from private.mux_leftovers where kind = 'asset' and id = 'asset-ann'$$,
  'the deletion schedules the account''s assets for deletion');
select throws_ok($$insert into account_deletions (user_id) values (tests.id('nobody'))$$, '23503', null,
  'the account of a deletion request must exist');
delete from auth.users where id = tests.id('fay');
select is_empty('select from account_deletions', 'deleting the account deletes the request');

select * from finish();
rollback;
