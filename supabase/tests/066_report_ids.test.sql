-- Reports whose ID the client chooses.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob', 'eve');
select tests.share('ann', 'open');
create function tests.report(who text) returns text language sql as $$
  select format('insert into public.content_reports (id, reporter_id, reported_type, reported_id, report_type)
    values (%L, %L, ''highlight'', %L, ''spam'')', tests.id('chosen'), tests.id(who), tests.id('open'));
$$;

select tests.as_user('bob');
select lives_ok(tests.report('bob'), 'a client chooses the ID of a report');
select throws_ok(tests.report('bob'), '23505', null, 'and stores it once');
select tests.as_user('eve');
select throws_ok(tests.report('eve'), '23505', null, 'another account can''t use the ID');
select throws_ok(tests.report('bob'), '42501', null, 'or report for the first one');
select tests.as_owner();
select results_eq('select id, reporter_id from content_reports', $$values (tests.id('chosen'), tests.id('bob'))$$, 'one report');
select is((select count(*) from private.limited_actions where name = 'reports'), 1::bigint, 'a refused one counts for no limit');

select * from finish();
rollback;
