-- Follow suggestions: their order, and that they contain only people whom the account may find.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'friend', 'fof', 'mate', 'tagger', 'other', 'shy', 'kid', 'foe');
insert into follows (follower_id, following_id)
select tests.id('ann'), tests.id('friend')
union all select tests.id('friend'), tests.id(name) from unnest(array['ann', 'fof', 'shy', 'kid', 'foe', 'mate']) as name
union all select tests.id('mate'), tests.id('fof');
update profiles set team_name = 'Owls' where username in ('ann', 'mate');
select tests.share('ann', 'mine'), tests.share('tagger', 'theirs'), tests.share('fof', 'plain');
update highlights set tags = '{spike}' where caption in ('mine', 'theirs');
insert into private.birth_dates values (tests.id('kid'), current_date - 5000);
insert into user_blocks (blocker_id, blocked_id) values (tests.id('foe'), tests.id('ann'));
insert into follows (follower_id, following_id) values (tests.id('friend'), tests.id('foe')) on conflict do nothing;
create function tests.suggested(rows integer default 20) returns text language sql as $$
  select string_agg(username, ' ') from follow_suggestions(rows);
$$;

select tests.as_user('ann');
select is(tests.suggested(), 'mate fof shy tagger', 'the team and a friend of a friend, friends of friends, a tag');
select is(tests.suggested(1), 'mate', 'a page');
select tests.as_owner();
update profiles set privacy_level = 'followers_only' where username = 'fof';
update profiles set privacy_level = 'private' where username = 'shy';
insert into follow_requests (requester_id, target_id) values (tests.id('ann'), tests.id('fof'));
insert into user_mutes (muter_id, muted_id) values (tests.id('ann'), tests.id('tagger'));
select tests.as_user('ann');
select is(tests.suggested(), 'mate', 'without private and muted people and open requests');
insert into follows (follower_id, following_id) values (tests.id('ann'), tests.id('mate'));
select is(tests.suggested(), null, 'without followed people');
select tests.as_owner();
delete from follows where (follower_id, following_id) = (tests.id('ann'), tests.id('mate'));
delete from follow_requests;
update profiles set privacy_level = 'public', team_name = null;
select tests.as_user('ann');
select is(tests.suggested(), 'fof shy mate', 'friends of a friend');
select tests.as_owner();
update profiles set privacy_level = 'private' where username = 'friend';
select tests.as_user('ann');
select is(tests.suggested(), 'fof', 'whom a private person follows is not shown, except as an author of Discover');
select tests.as_owner();
update profiles set privacy_level = 'public' where username = 'friend';
delete from user_mutes;
update highlights set tags = array(select 'tag' || number from generate_series(101, 300) as number) where caption = 'mine';
update highlights set tags = array(select 'tag' || number from generate_series(101, 300) as number) where caption = 'theirs';
select tests.as_user('ann');
select is(tests.suggested(), 'fof shy mate tagger', 'many tags');
select tests.as_user('other');
select is(tests.suggested(), 'fof ann tagger', 'an account without relations gets authors of Discover');
select tests.as_anon();
select throws_ok('select follow_suggestions()', '42501', null, 'visitors get no suggestions');

select * from finish();
rollback;
