-- Reports in the form that the app sends.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob');
select tests.share('ann', 'open');

select tests.as_user('bob');
select lives_ok(format($$insert into content_reports (reported_type, reported_id, reported_user_id, report_type)
    values ('highlight', tests.id('open'), tests.id('ann'), %L)$$, why), 'the app can report a highlight as ' || why)
from unnest(array['spam', 'harassment', 'inappropriate_content', 'impersonation', 'violence', 'hate_speech', 'self_harm',
  'other']) as why;
select is((select array_agg(distinct reporter_id) from content_reports), array[tests.id('bob')],
  'a report without a reporter belongs to the caller');
select is((select count(*) from content_reports where updated_at = created_at), 8::bigint,
  'updated_at of a new report equals created_at');
select throws_ok($$insert into content_reports (reporter_id, reported_type, reported_id, report_type)
  values (null, 'highlight', tests.id('open'), 'spam')$$, '42501', null, 'a report whose reporter is null is rejected');
select throws_ok($$insert into content_reports (reported_type, reported_id, report_type, updated_at)
  values ('highlight', tests.id('open'), 'spam', now())$$, '42501', null, 'a client cannot set updated_at');
select throws_ok($$insert into content_reports (reported_type, reported_id, report_type)
  values ('message', tests.id('open'), 'spam')$$, '23502', null, 'a report about a message is rejected');
select tests.as_anon();
select throws_ok($$insert into content_reports (reported_type, reported_id, report_type)
  values ('highlight', tests.id('open'), 'spam')$$, '42501', null, 'a visitor cannot report');
select tests.as_owner();
alter table content_reports disable trigger set_updated_at;
update content_reports set updated_at = '2026-01-01' where report_type = 'spam';
alter table content_reports enable trigger set_updated_at;
select tests.as_service();
update content_reports set status = 'reviewed' where report_type = 'spam';
select is((select updated_at from content_reports where report_type = 'spam'), now(), 'a review changes updated_at');

select * from finish();
rollback;
