-- The feed of followed people: order, pages, and the same rows as the policy of highlights.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob', 'cat', 'eve');
select tests.share('ann', 'a1'), tests.share('ann', 'a2', 'followers_only'), tests.share('ann', 'a3', 'private'),
  tests.share('bob', 'b1'), tests.share('bob', 'b2'), tests.share('cat', 'c1'), tests.share('eve', 'e1');
update highlights set created_at = now() - interval '5 hours' where caption in ('a1', 'b1');
update highlights set created_at = now() - interval '3 hours' where caption in ('a2', 'a3', 'c1', 'e1');
insert into follows (follower_id, following_id) select tests.id('eve'), tests.id(name) from unnest(array['ann', 'bob']) as name;

create function tests.captions(query text) returns text language plpgsql as $$
declare
  list text;
begin
  execute format('select string_agg(caption, $s$ $s$) from (%s) page', query) into list;
  return list;
end;
$$;
create function tests.page(rows integer, after text) returns text language sql security definer as $$
  select format('select * from following_feed(%s, %L, %L)', rows, created_at, id) from public.highlights where caption = after;
$$;
-- Both orders are by ID within the same moment.
create function tests.sorted(variadic captions text[]) returns text language sql security definer as $$
  select string_agg(caption, ' ' order by id desc) from public.highlights where caption = any(captions);
$$;

select tests.as_user('eve');
select is(tests.captions('select * from following_feed()'), 'b2 a2 ' || tests.sorted('a1', 'b1'),
  'followed people, newest first, without private highlights and others');
select is(tests.captions('select * from following_feed()'), tests.captions($$select * from highlights
  where author_id in (select following_id from follows where follower_id = auth.uid()) order by created_at desc, id desc$$),
  'the same as with the policy');
select is(tests.captions('select * from following_feed(1)'), 'b2', 'a page');
select is(tests.captions(tests.page(1, 'b2')), 'a2', 'the next page');
select is(tests.captions(tests.page(1, 'a2')), split_part(tests.sorted('a1', 'b1'), ' ', 1), 'another one');
select is(tests.captions(tests.page(1, split_part(tests.sorted('a1', 'b1'), ' ', 1))), split_part(tests.sorted('a1', 'b1'), ' ', 2),
  'a page continues within a moment');
select is((select count(*) from following_feed(1000)), 4::bigint, 'a long page');
select tests.as_user('cat');
select is_empty('select * from following_feed()', 'cat follows nobody');
select tests.as_anon();
select throws_ok('select * from following_feed()', '42501', null, 'anon follows nobody');

select tests.as_owner();
update highlights set is_ready = false where caption = 'b2';
insert into user_mutes (muter_id, muted_id) values (tests.id('eve'), tests.id('ann'));
select tests.as_user('eve');
select is(tests.captions('select * from following_feed()'), 'b1', 'without waiting highlights and muted people');
select tests.as_owner();
delete from user_mutes;
insert into account_deletions (user_id) values (tests.id('bob'));
select tests.as_user('eve');
select is(tests.captions('select * from following_feed()'), 'a2 a1', 'without people who leave');
select tests.as_owner();
update profiles set privacy_level = 'private' where username = 'ann';
select tests.as_user('eve');
select is_empty('select * from following_feed()', 'without private people');
select tests.as_owner();
update profiles set privacy_level = 'followers_only' where username = 'ann';
select tests.as_user('eve');
select is(tests.captions('select * from following_feed()'), 'a2 a1', 'with people who share with followers');
select tests.as_owner();
insert into user_blocks (blocker_id, blocked_id) values (tests.id('ann'), tests.id('eve'));
insert into follows (follower_id, following_id) values (tests.id('cat'), tests.id('bob'));
alter table follows disable trigger user;
insert into follows (follower_id, following_id) values (tests.id('eve'), tests.id('ann'));
select tests.as_user('eve');
select is_empty('select * from following_feed()', 'without people who blocked the viewer');

select * from finish();
rollback;
