-- Protected accounts can't be listed by requests for tables.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('teen', 'fan', 'idol', 'asker', 'asked', 'eve', 'adult');
select tests.share('adult', 'clip');
insert into private.birth_dates (user_id, born) values
  (tests.id('teen'), (current_date - interval '15 years')::date), (tests.id('adult'), (current_date - interval '30 years')::date);
update profiles set privacy_level = 'followers_only' where username = 'teen';
insert into follows (follower_id, following_id) values
  (tests.id('fan'), tests.id('teen')), (tests.id('teen'), tests.id('idol')), (tests.id('teen'), tests.id('adult'));
insert into follow_requests (requester_id, target_id) values
  (tests.id('asker'), tests.id('teen')), (tests.id('teen'), tests.id('asked'));
insert into comments (highlight_id, author_id, text) values (tests.id('clip'), tests.id('teen'), 'nice');
create function tests.sees(who text, statement text) returns boolean language plpgsql as $$
declare
  found boolean;
begin
  perform tests.as_user(who);
  execute format('select exists (%s)', statement) into found;
  perform set_config('role', 'postgres', true);
  return found;
end;
$$;
grant execute on all functions in schema tests to anon, authenticated;

select is(tests.sees(who, $$select from profiles where id = tests.id('teen')$$), expected, who || ': the profile')
from (values ('teen', true), ('fan', true), ('idol', true), ('asker', false), ('asked', true), ('eve', false)) as q (who, expected);
select is(tests.sees(who, $$select from follows where tests.id('teen') in (follower_id, following_id)$$), expected, who || ': follows')
from (values ('teen', true), ('fan', true), ('idol', true), ('asker', false), ('eve', false)) as q (who, expected);
select tests.as_user('eve');
select isnt_empty($$select from profiles where id = tests.id('adult')$$, 'adults are listed');
select isnt_empty($$select from comments where author_id = tests.id('teen')$$, 'comments stay visible, without a name');
select is((select username from find_profile('TEEN')), 'teen', 'who knows the name finds the profile');
select is_empty($$select find_profile('tee%')$$, 'the name must be complete');
select lives_ok($$insert into follow_requests (requester_id, target_id) values (tests.id('eve'), tests.id('teen'))$$,
  'and can ask to follow it');
select is_empty($$select from profiles where id = tests.id('teen')$$, 'a request opens nothing');
select lives_ok($$insert into user_blocks (blocker_id, blocked_id) values (tests.id('eve'), tests.id('teen'))$$, 'eve blocks the account');
select results_eq('select id, username, display_name from blocked_people()', $$values (tests.id('teen'), null::text, null::text)$$,
  'blocking does not reveal its names');
select is(tests.touched('delete from user_blocks'), 1::bigint, 'eve undoes it');

-- The search answers as if the account didn't exist. The name of a visible account is similar to the queries.
select tests.as_owner();
update profiles set username = 'teex' where id = tests.id('adult');
select tests.as_user('eve');
select results_eq(format('select username from search_people(%L)', query), array['teex'], query || ' finds only the visible account')
from (values ('teen'), ('teeo'), ('tee')) as q (query);
-- A follower with a private profile is visible to the followed account, without a name, and can be removed.
select tests.as_owner();
update profiles set privacy_level = 'private' where username = 'fan';
select is(tests.sees(who, $$select from follows where follower_id = tests.id('fan')$$), expected, who || ': a private follower')
from (values ('teen', true), ('fan', true), ('eve', false), ('idol', false)) as q (who, expected);
select tests.as_user('teen');
select is_empty($$select from profiles where id = tests.id('fan')$$, 'the name stays hidden');
select is(tests.touched($$delete from follows where follower_id = tests.id('fan')$$), 1::bigint, 'the follower is removed');
select tests.as_owner();
update profiles set privacy_level = 'private' where username = 'idol';
select tests.as_user('teen');
select is(tests.touched($$delete from follows where following_id = tests.id('idol')$$), 1::bigint, 'a follow of a private profile is ended');
select tests.as_anon();
select is_empty($$select from profiles where id = tests.id('teen')$$, 'visitors don''t');
select isnt_empty($$select from profiles where id = tests.id('adult')$$, 'they see adults');
select throws_ok($$select find_profile('teen')$$, '42501', null, 'and don''t search by name');
select tests.as_owner();
update profiles set privacy_level = 'public' where username = 'fan';
insert into user_blocks (blocker_id, blocked_id) values (tests.id('teen'), tests.id('fan'));
select tests.as_user('fan');
select is_empty($$select find_profile('teen')$$, 'nor do blocked people');

select * from finish();
rollback;
