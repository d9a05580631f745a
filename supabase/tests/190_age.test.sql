-- The minimum age, and protected accounts.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('kid', 'teen', 'adult', 'eve', 'old');
select tests.share('teen', 'clip'), tests.share('adult', 'other');
create function tests.born(years integer, days integer default 0) returns date language sql as $$
  select (current_date - make_interval(years => years, days => days))::date;
$$;
create function tests.comment(who text, what text) returns text language sql as $$
  select format('insert into public.comments (author_id, highlight_id, text) values (%L, %L, %L)', tests.id(who), tests.id(what), 'x');
$$;

select tests.as_anon();
select is(age_rules(), '{"minimum_age": 13, "protected_until": 18}', 'everyone can read the ages');
select throws_ok($$select set_birth_date('2000-01-01')$$, '42501', null, 'anon has no birthday');
select tests.as_user('kid');
select throws_ok($$select set_birth_date(tests.born(13, -1))$$, 'PT403', null, 'one day too young');
select throws_ok(format('select set_birth_date(%L)', date), '23514', null, coalesce(date, 'null') || ' is refused')
from unnest(array[null, (current_date + 1)::text, '1800-01-01']) as date;
select lives_ok('select set_birth_date(tests.born(13))', 'old enough');
select throws_ok('select set_birth_date(tests.born(30))', 'PT409', null, 'the date can''t be changed');
select throws_ok('select from private.birth_dates', '42501', null, 'and not be read');
select is((select privacy_level from profiles where id = tests.id('kid')), 'followers_only', 'a protected profile is not public');
select tests.as_user('old');
update profiles set privacy_level = 'private' where id = tests.id('old');
select lives_ok('select set_birth_date(tests.born(17))', 'a private person sets a date');
select is((select privacy_level from profiles where id = tests.id('old')), 'private', 'a private profile stays private');
select tests.as_user('adult');
select lives_ok('select set_birth_date(tests.born(18))', 'an adult sets a date');
select is((select privacy_level from profiles where id = tests.id('adult')), 'public', 'an adult''s profile stays public');

select tests.as_owner();
select isnt((select score from private.highlight_scores where highlight_id = tests.id('clip')), null, 'a score before');
select tests.as_user('teen');
select lives_ok('select set_birth_date(tests.born(15))', 'teen sets a date');
update profiles set privacy_level = 'public' where id = tests.id('teen');
select tests.as_owner();
select is((select score from private.highlight_scores where highlight_id = tests.id('clip')), null, 'no score with protection');
update highlights set likes_count = 50, created_at = now() - interval '1 minute' where id in (tests.id('clip'), tests.id('other'));
select tests.share('teen', 'later');
select is((select count(score) from private.highlight_scores), 1::bigint, 'nor later');

-- Comments.
select tests.as_user('eve');
select isnt_empty($$select from highlights where id = tests.id('clip')$$, 'eve sees the highlight');
select throws_ok(tests.comment('eve', 'clip'), '42501', null, 'strangers don''t comment');
select lives_ok(tests.comment('eve', 'other'), 'except for adults');
insert into follows (follower_id, following_id) values (tests.id('eve'), tests.id('teen'));
select throws_ok(tests.comment('eve', 'clip'), '42501', null, 'a follower is still a stranger');
select tests.as_user('teen');
select lives_ok(tests.comment('teen', 'clip'), 'teen comments');
insert into follows (follower_id, following_id) values (tests.id('teen'), tests.id('eve'));
select tests.as_user('eve');
select lives_ok(tests.comment('eve', 'clip'), 'people whom teen follows comment');

-- Who finds the profile.
select tests.as_owner();
create function tests.finds(who text, what text) returns boolean language plpgsql as $$
begin
  perform tests.as_user(who);
  perform set_config('role', 'postgres', true);
  return private.can_find(tests.id(what));
end;
$$;
select is(tests.finds('adult', 'teen'), false, 'strangers don''t find a protected profile');
select is(tests.finds('eve', 'teen'), true, 'followers do');
select is(tests.finds('teen', 'teen'), true, 'the person does');
select is(tests.finds('teen', 'adult'), true, 'adults are found');
select is(tests.finds('adult', 'old'), false, 'private profiles are not');

-- The feed.
create function tests.in_feed(who text) returns bigint language plpgsql as $$
begin
  if who is null then perform tests.as_anon(); else perform tests.as_user(who); end if;
  return (select count(*) from public.feed() where author_id = tests.id('teen'));
end;
$$;
select is(tests.in_feed('adult'), 0::bigint, 'strangers don''t find a protected account in the feed');
select is(tests.in_feed(null), 0::bigint, 'nor do visitors');
select is(tests.in_feed('eve'), 2::bigint, 'followers do');
select is(tests.in_feed('teen'), 2::bigint, 'and the person');

-- The ages are settings.
select tests.as_owner();
update private.age_rules set minimum_age = 16, protected_until = 14;
select is(tests.finds('adult', 'teen'), true, 'protection ends with the age');
update private.age_rules set protected_until = 21;
update private.highlight_scores set score = 1e9 where highlight_id = tests.id('other');
select tests.as_user('old');
select is_empty($$select from discover_highlights() where id = tests.id('other')$$, 'Discover hides older highlights of a protected account');
select tests.as_owner();
update private.age_rules set protected_until = 14;
select tests.as_user('old');
select isnt_empty($$select from discover_highlights() where id = tests.id('other')$$, 'and shows them otherwise');
select tests.as_owner();
select throws_ok($$insert into private.age_rules (is_only) values (true)$$, '23505', null, 'there is one row');
select throws_ok(format('update private.age_rules set %s', change), '23514', null, change)
from unnest(array['is_only = false', 'minimum_age = 22', 'protected_until = -1']) as change;
delete from private.age_rules;
select is(age_rules(), '{"minimum_age": 13, "protected_until": 18}', 'defaults');
insert into private.age_rules default values;

grant usage on schema private to authenticated;
grant select on private.birth_dates, private.age_rules to authenticated;
select tests.as_user('teen');
select is_empty('select from private.birth_dates', 'row-level security hides the dates');
select is_empty('select from private.age_rules', 'and the settings');
select tests.as_owner();
select throws_ok($$insert into private.birth_dates values (tests.id('nobody'), '2000-01-01')$$, '23503', null, 'of an account');
delete from auth.users where id = tests.id('teen');
select is((select count(*) from private.birth_dates), 3::bigint, 'the date is deleted with the account');

select * from finish();
rollback;
