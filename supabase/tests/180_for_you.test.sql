-- For You: what people like who agree with the viewer, and the same visibility as the policy.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob', 'cat', 'eve', 'pam');
select tests.share('ann', 'both'), tests.share('ann', 'next'), tests.share('ann', 'plain'), tests.share('eve', 'own');
update highlights set created_at = now() - interval '20 hours' where caption = 'next';
insert into likes (user_id, highlight_id) values
  (tests.id('eve'), tests.id('both')), (tests.id('bob'), tests.id('both')), (tests.id('bob'), tests.id('next'));
create function tests.order_for_me() returns text language sql as $$
  select string_agg(caption, ' ') from for_you();
$$;

select tests.as_user('eve');
select is(tests.order_for_me(), 'next plain', 'what bob likes comes first, without own and liked highlights');
select is((select string_agg(caption, ' ') from for_you(1, 1)), 'plain', 'a page');

-- Likes on a page don't shift the next one.
select string_agg(id::text, ',') as first_page from for_you(1, 0, now() + interval '1 minute') \gset
select tests.as_owner();
insert into likes (user_id, highlight_id, created_at) values (tests.id('eve'), :'first_page', now() + interval '2 minutes');
select tests.as_user('eve');
select is((select string_agg(caption, ' ') from for_you(1, 1, now() + interval '1 minute')), 'plain', 'the second page');
select is((select string_agg(caption, ' ') from for_you(2, 0, now() + interval '1 minute')), 'next plain', 'of the same list');
select is(tests.order_for_me(), 'plain', 'a new list omits what was liked');
select tests.as_owner();
delete from likes where highlight_id = :'first_page' and user_id = tests.id('eve');
select tests.as_user('cat');
select is(split_part(tests.order_for_me(), ' ', 4), 'next', 'without likes, the order of Discover');
select tests.as_anon();
select throws_ok('select for_you()', '42501', null, 'anon has no feed');

select tests.as_owner();
insert into user_mutes (muter_id, muted_id) values (tests.id('eve'), tests.id('ann'));
select tests.as_user('eve');
select is(tests.order_for_me(), null, 'without muted people');
select tests.as_owner();
delete from user_mutes;
update highlights set privacy_level = 'followers_only' where caption = 'next';
insert into follows (follower_id, following_id) values (tests.id('eve'), tests.id('ann'));
select tests.as_user('eve');
select is(tests.order_for_me(), 'plain', 'without highlights that are not public');
select tests.as_owner();
update highlights set is_ready = false where caption = 'plain';
select tests.as_user('eve');
select is(tests.order_for_me(), null, 'without waiting highlights');
select tests.as_owner();
update highlights set is_ready = true, privacy_level = 'public';
insert into user_blocks (blocker_id, blocked_id) values (tests.id('ann'), tests.id('eve'));
select tests.as_user('eve');
select is(tests.order_for_me(), null, 'without people who blocked the viewer');
select tests.as_owner();
delete from user_blocks;
update profiles set privacy_level = 'private' where username = 'ann';
select tests.as_user('eve');
select is(tests.order_for_me(), null, 'without private people');

-- A like that can't be seen doesn't show in the order. `next` is 20 hours older than `plain`.
select tests.as_owner();
update profiles set privacy_level = 'public';
delete from follows;
create function tests.order_with(change text, undo text) returns text language plpgsql as $$
declare
  list text;
begin
  perform tests.as_owner();
  execute change;
  perform tests.as_user('eve');
  list := tests.order_for_me();
  perform tests.as_owner();
  execute undo;
  return list;
end;
$$;
select is(tests.order_with('select', 'select'), 'next plain', 'bob''s like counts');
select is(tests.order_with(change, undo), 'plain next', 'a hidden like does not: ' || change)
from (values
  ('update profiles set privacy_level = $$private$$ where username = $$bob$$', 'update profiles set privacy_level = $$public$$'),
  ('insert into user_blocks (blocker_id, blocked_id) values (tests.id($$bob$$), tests.id($$eve$$))', 'delete from user_blocks'),
  ('update highlights set hide_likes = true where caption = $$next$$', 'update highlights set hide_likes = false'),
  ('update highlights set hide_likes = true where caption = $$both$$', 'update highlights set hide_likes = false')) as hidden (change, undo);

select * from finish();
rollback;
