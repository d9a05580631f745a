-- Reports in the form that the app sends.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob');
select tests.share('ann', 'open');

select tests.as_user('bob');
select lives_ok(format($$insert into content_reports (reported_type, reported_id, reported_user_id, report_type)
    values ('highlight', tests.id('open'), tests.id('ann'), %L)$$, why), why)
from unnest(array['spam', 'harassment', 'inappropriate_content', 'impersonation', 'violence', 'hate_speech', 'self_harm',
  'other']) as why;
select is((select array_agg(distinct reporter_id) from content_reports), array[tests.id('bob')],
  'a report without a reporter is the caller''s');
select is((select count(*) from content_reports where updated_at = created_at), 8::bigint, 'it says when it changed');
select throws_ok($$insert into content_reports (reporter_id, reported_type, reported_id, report_type)
  values (null, 'highlight', tests.id('open'), 'spam')$$, '42501', null, 'a null reporter is not the caller');
select throws_ok($$insert into content_reports (reported_type, reported_id, report_type, updated_at)
  values ('highlight', tests.id('open'), 'spam', now())$$, '42501', null, 'the time is not the client''s to give');
select throws_ok($$insert into content_reports (reported_type, reported_id, report_type)
  values ('message', tests.id('open'), 'spam')$$, '23502', null, 'there are no messages here');
select tests.as_anon();
select throws_ok($$insert into content_reports (reported_type, reported_id, report_type)
  values ('highlight', tests.id('open'), 'spam')$$, '42501', null, 'anon can''t report');
select tests.as_owner();
alter table content_reports disable trigger set_updated_at;
update content_reports set updated_at = '2026-01-01' where report_type = 'spam';
alter table content_reports enable trigger set_updated_at;
select tests.as_service();
update content_reports set status = 'reviewed' where report_type = 'spam';
select is((select updated_at from content_reports where report_type = 'spam'), now(), 'a review changes the time');

select * from finish();
rollback;
