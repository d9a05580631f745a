-- Reporters withdraw their reports, but only until a moderator has decided.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob', 'eve', 'mod');
select tests.share('ann', 'open'), tests.share('ann', 'other');
insert into moderators values (tests.id('mod'));
insert into content_reports (id, reporter_id, reported_type, reported_id, report_type) values
  (tests.id('first'), tests.id('bob'), 'highlight', tests.id('open'), 'spam'),
  (tests.id('second'), tests.id('bob'), 'highlight', tests.id('other'), 'spam'),
  (tests.id('of eve'), tests.id('eve'), 'highlight', tests.id('open'), 'harassment');
create function tests.withdraw(name text) returns text language sql as $$
  select format('select public.withdraw_report(%L)', tests.id(name));
$$;
create function tests.reported() returns bigint language sql security definer set search_path = public as $$
  select count(*) from content_reports;
$$;

select tests.as_anon();
select throws_ok(tests.withdraw('first'), '42501', null, 'a visitor cannot withdraw a report');
select tests.as_service();
select throws_ok(tests.withdraw('first'), '42501', null, 'the service role deletes rows instead');
select tests.as_user('ann');
select throws_ok(tests.withdraw('first'), 'PT404', null, 'the reported user cannot withdraw a report');
select tests.as_user('eve');
select throws_ok(tests.withdraw('first'), 'PT404', null, 'a user cannot withdraw a report of another account');
select throws_ok(tests.withdraw('nothing'), 'PT404', null, 'a missing report cannot be withdrawn');
select throws_ok('select withdraw_report(null)', 'PT404', null, 'null is not a report');
select tests.as_user('mod');
select throws_ok(tests.withdraw('first'), 'PT404', null, 'a moderator decides instead');
select is(tests.reported(), 3::bigint, 'all reports remain');

select tests.as_user('bob');
select lives_ok(tests.withdraw('first'), 'a user can withdraw an open report');
select results_eq('select id from content_reports', array[tests.id('second')], 'only this report is deleted');
select throws_ok(tests.withdraw('first'), 'PT404', null, 'a report can be withdrawn once');
select throws_ok('delete from content_reports', '42501', null, 'rows still cannot be deleted directly');
select tests.as_user('mod');
select results_eq($$select target_id, report_count from moderation_queue() order by 1$$,
  $$select tests.id(name), 1 from unnest(array['open', 'other']) as name order by 1$$,
  'the queue does not count a withdrawn report');
select tests.as_owner();
select is(status, 'pending', 'the report of another account about the same highlight stays open')
from content_reports where id = tests.id('of eve');
insert into content_reports (id, reporter_id, reported_type, reported_id, report_type, status)
select tests.id(decision), tests.id('bob'), 'highlight', tests.id('open'), 'spam', decision
from unnest(array['reviewed', 'action_taken', 'dismissed']) as decision;
select tests.as_user('bob');
select throws_ok(tests.withdraw(decision), 'PT409', null, 'a report that is ' || decision || ' cannot be withdrawn')
from unnest(array['reviewed', 'action_taken', 'dismissed']) as decision;
select is(tests.reported(), 5::bigint, 'reviewed reports remain');

select * from finish();
rollback;
