-- Reports: visible to their reporters, reviewed by moderators.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob', 'eve');
select tests.share('ann', 'open');
insert into comments (id, highlight_id, author_id, text)
values (tests.id('rude'), tests.id('open'), tests.id('eve'), 'boo');

create function tests.report(who text, kind text, what text, why text default 'spam') returns text language sql as $$
  select format('insert into public.content_reports (reporter_id, reported_type, reported_id, report_type)
    values (%L, %L, %L, %L)', tests.id(who), kind, tests.id(what), why);
$$;

select tests.as_user('bob');
select lives_ok(tests.report('bob', 'highlight', 'open', why), 'a user can report a highlight as ' || why)
from unnest(array['inappropriate', 'spam', 'not_sports', 'harassment']) as why;
select throws_ok(tests.report('bob', 'highlight', 'open', 'boring'), '23514', null,
  'a report with an unknown reason is rejected');
select throws_ok(tests.report('bob', 'video', 'open'), '23502', null,
  'a report about an unknown content type is rejected');
select throws_ok(tests.report('bob', 'highlight', 'nothing'), '23502', null,
  'a report about missing content is rejected');
select throws_ok(tests.report('ann', 'highlight', 'open'), '42501', null, 'a user cannot report for another account');
select lives_ok($$insert into content_reports (reporter_id, reported_type, reported_id, reported_user_id, report_type,
    description)
  values (tests.id('bob'), 'comment', tests.id('rude'), tests.id('ann'), 'harassment', 'rude')$$,
  'a user can report a comment');
select is((select reported_user_id from content_reports where reported_type = 'comment'), tests.id('eve'),
  'the database sets the reported user, whatever the report contains');
select lives_ok(tests.report('bob', 'user_profile', 'eve'), 'a user can report a profile');
select is((select count(*) from content_reports where status = 'pending'), 6::bigint,
  'a user can see their own pending reports');
select throws_ok($$insert into content_reports (reporter_id, reported_type, reported_id, report_type, status)
  values (tests.id('bob'), 'highlight', tests.id('open'), 'spam', 'dismissed')$$, '42501', null,
  'a user cannot set the status of a report');
select throws_ok(format('update content_reports set %I = %I', field, field), '42501', null,
  'a user cannot update ' || field || ' of a report')
from unnest(array['status', 'reviewed_at', 'description', 'reported_user_id', 'created_at']) as field;
select throws_ok('delete from content_reports', '42501', null, 'a user cannot delete a report');
select tests.as_user('eve');
select is((select count(*) from content_reports), 0::bigint, 'the reported user cannot see the reports');
select tests.as_anon();
select throws_ok('select from content_reports', '42501', null, 'a visitor cannot see reports');
select tests.as_service();
select is((select count(*) from content_reports), 6::bigint, 'a moderator can see all reports');
select lives_ok($$update content_reports set status = 'reviewed', reviewed_at = now()$$,
  'a moderator can update a report');
select tests.as_owner();
select throws_ok($$update content_reports set status = 'lost'$$, '23514', null, 'an unknown status is rejected');
select throws_ok($$update content_reports set description = repeat('x', 1001)$$, '23514', null,
  'a description is limited to 1000 characters');
select throws_ok($$update content_reports set reported_type = 'video'$$, '23514', null,
  'an unknown content type is rejected in an update');
select throws_ok($$update content_reports set reporter_id = tests.id('nobody')$$, '23503', null,
  'the reporting account must exist');
select throws_ok($$update content_reports set reported_user_id = tests.id('nobody')$$, '23503', null,
  'the reported account must exist');
delete from auth.users where id = tests.id('eve');
select is((select count(*) from content_reports), 4::bigint,
  'deleting the reported account deletes the reports about it');
delete from auth.users where id = tests.id('bob');
select is_empty('select from content_reports', 'deleting the reporting account deletes its reports');

select * from finish();
rollback;
