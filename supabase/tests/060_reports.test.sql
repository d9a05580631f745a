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
select lives_ok(tests.report('bob', 'highlight', 'open', why), why)
from unnest(array['inappropriate', 'spam', 'not_sports', 'harassment']) as why;
select throws_ok(tests.report('bob', 'highlight', 'open', 'boring'), '23514', null, 'no reason');
select throws_ok(tests.report('bob', 'video', 'open'), '23502', null, 'an unknown content type');
select throws_ok(tests.report('bob', 'highlight', 'nothing'), '23502', null, 'missing content');
select throws_ok(tests.report('ann', 'highlight', 'open'), '42501', null, 'reporting for another account is refused');
select lives_ok($$insert into content_reports (reporter_id, reported_type, reported_id, reported_user_id, report_type,
    description)
  values (tests.id('bob'), 'comment', tests.id('rude'), tests.id('ann'), 'harassment', 'rude')$$, 'a comment');
select is((select reported_user_id from content_reports where reported_type = 'comment'), tests.id('eve'),
  'is eve''s, whatever the report says');
select lives_ok(tests.report('bob', 'user_profile', 'eve'), 'a person');
select is((select count(*) from content_reports where status = 'pending'), 6::bigint, 'bob sees his reports');
select throws_ok($$insert into content_reports (reporter_id, reported_type, reported_id, report_type, status)
  values (tests.id('bob'), 'highlight', tests.id('open'), 'spam', 'dismissed')$$, '42501', null, 'he does not judge them');
select throws_ok(format('update content_reports set %I = %I', field, field), '42501', null, 'he cannot change ' || field)
from unnest(array['status', 'reviewed_at', 'description', 'reported_user_id', 'created_at']) as field;
select throws_ok('delete from content_reports', '42501', null, 'reports can''t be deleted');
select tests.as_user('eve');
select is((select count(*) from content_reports), 0::bigint, 'the reported does not see them');
select tests.as_anon();
select throws_ok('select from content_reports', '42501', null, 'anon sees no reports');
select tests.as_service();
select is((select count(*) from content_reports), 6::bigint, 'moderators do');
select lives_ok($$update content_reports set status = 'reviewed', reviewed_at = now()$$, 'and judge');
select tests.as_owner();
select throws_ok($$update content_reports set status = 'lost'$$, '23514', null, 'with the words there are');
select throws_ok($$update content_reports set description = repeat('x', 1001)$$, '23514', null, 'a description is short');
select throws_ok($$update content_reports set reported_type = 'video'$$, '23514', null, 'kinds are known');
select throws_ok($$update content_reports set reporter_id = tests.id('nobody')$$, '23503', null, 'a reporter exists');
select throws_ok($$update content_reports set reported_user_id = tests.id('nobody')$$, '23503', null, 'so does the reported');
delete from auth.users where id = tests.id('eve');
select is((select count(*) from content_reports), 4::bigint, 'reports go with the reported');
delete from auth.users where id = tests.id('bob');
select is_empty('select from content_reports', 'and with the reporter');

select * from finish();
rollback;
