-- Limits for comments, follows and follow requests.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob', 'shy');
select tests.share('ann', 'clip');
update profiles set privacy_level = 'followers_only' where username = 'shy';
update rate_limits set max_count = 3 where name in ('comments', 'follows');
create function tests.follow() returns void language sql as $$
  insert into follows (follower_id, following_id) values (tests.id('bob'), tests.id('ann'));
  delete from follows;
$$;
create function tests.comment(who text) returns text language sql as $$
  select format('insert into public.comments (author_id, highlight_id, text) values (%L, %L, %L)', tests.id(who), tests.id('clip'), 'x');
$$;

select tests.as_user('bob');
select lives_ok(tests.comment('bob'), 'comment ' || number) from generate_series(1, 2) as number;
select is(tests.touched('delete from comments'), 2::bigint, 'bob deletes them');
select lives_ok(tests.comment('bob'), 'the third one');
select throws_ok(tests.comment('bob'), 'PT429', 'at most 3 comments in 600 seconds', 'deleted ones count');
select tests.as_user('ann');
select lives_ok(tests.comment('ann'), 'others have their own limit');
select tests.as_user('bob');
select lives_ok('select tests.follow()', 'comments and follows have separate limits');
select lives_ok('select tests.follow()', 'a repeated follow');
select lives_ok($$insert into follow_requests (requester_id, target_id) values (tests.id('bob'), tests.id('shy'))$$, 'a request');
select throws_ok('select tests.follow()', 'PT429', null, 'requests count as follows');
select tests.as_user('bob');
delete from follow_requests;
select throws_ok($$insert into follow_requests (requester_id, target_id) values (tests.id('bob'), tests.id('shy'))$$, 'PT429', null,
  'requests are limited, too');
select throws_ok('select from private.limited_actions', '42501', null, 'clients don''t read the actions');

-- Likes and reactions share a limit.
select tests.as_owner();
select is((select max_count from rate_limits where name = 'likes'), 300, 'the limit of likes');
update rate_limits set max_count = 3 where name = 'likes';
insert into comments (id, author_id, highlight_id, text) values (md5('said')::uuid, tests.id('ann'), tests.id('clip'), 'x');
create function tests.like(what text) returns text language sql as $$
  select format('insert into public.%s (user_id, %s) values (%L, %s)', what,
    case what when 'likes' then 'highlight_id' when 'comment_likes' then 'comment_id' else 'emoji, comment_id' end, tests.id('bob'),
    case what when 'likes' then quote_literal(tests.id('clip')) when 'comment_likes' then quote_literal(md5('said')::uuid)
      else quote_literal('🔥') || ', ' || quote_literal(md5('said')::uuid) end);
$$;
select tests.as_user('bob');
select lives_ok(tests.like(what), what) from unnest(array['likes', 'comment_likes', 'comment_reactions']) as what;
delete from likes; delete from comment_likes; delete from comment_reactions;
select throws_ok(tests.like(what), 'PT429', 'at most 3 likes in 600 seconds', what || ' after three')
from unnest(array['likes', 'comment_likes', 'comment_reactions']) as what;
select tests.as_owner();
delete from comments where id = md5('said')::uuid;

-- Reports, also withdrawn ones.
select is((select max_count from rate_limits where name = 'reports'), 30, 'the limit of reports');
update rate_limits set max_count = 2 where name = 'reports';
create function tests.report_clip() returns void language sql as $$
  insert into public.content_reports (reporter_id, reported_type, reported_id, report_type)
  values (tests.id('bob'), 'highlight', tests.id('clip'), 'spam');
$$;
select tests.as_user('bob');
select lives_ok('select tests.report_clip()', 'a report');
select lives_ok($$select withdraw_report(id) from content_reports$$, 'it is withdrawn');
select lives_ok('select tests.report_clip()', 'another one');
select throws_ok('select tests.report_clip()', 'PT429', 'at most 2 reports in 3600 seconds', 'a third one');

-- Actions that don't count.
select tests.as_owner();
insert into comments (author_id, highlight_id, text) select tests.id('bob'), tests.id('clip'), 'x' from generate_series(1, 5);
delete from follow_requests;
insert into follow_requests (requester_id, target_id) values (tests.id('ann'), tests.id('shy')), (tests.id('bob'), tests.id('shy'));
update rate_limits set max_count = 1 where name = 'follows';
select tests.as_user('shy');
select lives_ok(format('select accept_follow_request(%L)', tests.id(name)), 'acceptances aren''t limited')
from unnest(array['ann', 'bob']) as name;

-- Old actions.
select tests.as_owner();
update private.limited_actions set created_at = now() - interval '10 minutes' where name = 'comments';
select tests.as_user('bob');
select lives_ok(tests.comment('bob'), 'after ten minutes');
select tests.as_owner();
select is((select count(*) from private.limited_actions where user_id = tests.id('bob') and name = 'comments'), 1::bigint,
  'old actions are deleted');
select throws_ok($$insert into private.limited_actions (user_id, name) values (tests.id('nobody'), 'comments')$$, '23503', null,
  'actions have an account');
select throws_ok($$insert into private.limited_actions (user_id, name) values (tests.id('bob'), 'x')$$, '23503', null,
  'and a limit');
delete from auth.users where id = tests.id('bob');
select is_empty($$select from private.limited_actions where user_id = tests.id('bob')$$, 'they are deleted with the account');
grant usage on schema private to authenticated;
grant select on private.limited_actions to authenticated;
insert into private.limited_actions (user_id, name) values (tests.id('ann'), 'comments');
select tests.as_user('ann');
select is_empty('select from private.limited_actions', 'row-level security hides them');

select * from finish();
rollback;
