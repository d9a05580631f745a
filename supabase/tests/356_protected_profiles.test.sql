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
from (values ('teen', true), ('fan', true), ('idol', true), ('asker', true), ('asked', true), ('eve', false)) as q (who, expected);
select is(tests.sees(who, $$select from follows where tests.id('teen') in (follower_id, following_id)$$), expected, who || ': follows')
from (values ('teen', true), ('fan', true), ('idol', true), ('eve', false)) as q (who, expected);
select tests.as_user('eve');
select isnt_empty($$select from profiles where id = tests.id('adult')$$, 'adults are listed');
select isnt_empty($$select from comments where author_id = tests.id('teen')$$, 'comments stay visible, without a name');
select is((select username from find_profile('TEEN')), 'teen', 'who knows the name finds the profile');
select is_empty($$select find_profile('tee%')$$, 'the name must be complete');
select lives_ok($$insert into follow_requests (requester_id, target_id) values (tests.id('eve'), tests.id('teen'))$$,
  'and can ask to follow it');
select isnt_empty($$select from profiles where id = tests.id('teen')$$, 'who has asked sees it');
select tests.as_anon();
select is_empty($$select from profiles where id = tests.id('teen')$$, 'visitors don''t');
select isnt_empty($$select from profiles where id = tests.id('adult')$$, 'they see adults');
select throws_ok($$select find_profile('teen')$$, '42501', null, 'and don''t search by name');
select tests.as_owner();
insert into user_blocks (blocker_id, blocked_id) values (tests.id('teen'), tests.id('fan'));
select tests.as_user('fan');
select is_empty($$select find_profile('teen')$$, 'nor do blocked people');

select * from finish();
rollback;
