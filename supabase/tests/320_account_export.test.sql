-- The export contains everything of an account, and nothing that reveals others.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob', 'foe');
select tests.share('ann', 'anns'), tests.share('bob', 'bobs');
insert into likes (user_id, highlight_id) values (tests.id('ann'), tests.id('bobs')), (tests.id('bob'), tests.id('anns'));
insert into comments (highlight_id, author_id, text) values (tests.id('bobs'), tests.id('ann'), 'hers'), (tests.id('anns'), tests.id('bob'), '@ann his');
insert into follows (follower_id, following_id) values (tests.id('ann'), tests.id('bob')), (tests.id('bob'), tests.id('ann'));
insert into polls (highlight_id, question) values (tests.id('anns'), 'hers?'), (tests.id('bobs'), 'his?');
insert into highlight_stats (highlight_id, day) values (tests.id('anns'), now()), (tests.id('bobs'), now());
insert into private.view_events (highlight_id, viewer, watched, completed) values (tests.id('bobs'), tests.id('ann')::text, 5, false),
  (tests.id('bobs'), tests.id('foe')::text, 5, false);
insert into private.birth_dates values (tests.id('ann'), '2000-01-01'), (tests.id('bob'), '2000-01-02');
insert into private.moderation_actions (moderator_id, user_id, action, target_type, target_id, reason) values
  (tests.id('bob'), tests.id('ann'), 'warn', 'highlight', tests.id('anns'), 'because'),
  (tests.id('bob'), tests.id('foe'), 'warn', 'highlight', tests.id('anns'), 'other');
insert into content_reports (reporter_id, reported_type, reported_id, report_type) values (tests.id('foe'), 'highlight', tests.id('anns'), 'spam');
insert into user_mutes (muter_id, muted_id) values (tests.id('foe'), tests.id('ann')), (tests.id('ann'), tests.id('foe'));
insert into user_blocks (blocker_id, blocked_id) values (tests.id('foe'), tests.id('ann'));

select tests.as_user('ann');
select export_account() as export \gset
select is(:'export'::jsonb #>> path::text[], value, path)
from (values
  ('{account,email}', 'ann@example.com'), ('{profiles,0,username}', 'ann'), ('{highlights,0,caption}', 'anns'), ('{comments,0,text}', 'hers'),
  ('{polls,0,question}', 'hers?'), ('{birth_dates,0,born}', '2000-01-01'), ('{moderation_actions,0,reason}', 'because'),
  ('{view_events,0,highlight_id}', tests.id('bobs')::text), ('{highlight_stats,0,highlight_id}', tests.id('anns')::text),
  ('{likes,0,highlight_id}', tests.id('bobs')::text), ('{user_mutes,0,muted_id}', tests.id('foe')::text)) as entry (path, value);
select is(jsonb_array_length(:'export'::jsonb -> name), number, format('%s rows of %s', number, name))
from (values ('profiles', 1), ('highlights', 1), ('comments', 1), ('polls', 1), ('birth_dates', 1), ('moderation_actions', 1),
  ('view_events', 1), ('highlight_stats', 1), ('likes', 1), ('follows', 2), ('user_blocks', 0), ('user_mutes', 1), ('content_reports', 0),
  ('notifications', 3), ('interactions', 0), ('post_notices', 0)) as list (name, number);
select is(strpos(:'export', 'moderator_id'), 0, 'without the moderator');
select tests.as_owner();
select is_empty($$
  select c.relname from pg_constraint k join pg_class c on c.oid = k.conrelid
  where k.contype = 'f' and k.confrelid = 'public.profiles'::regclass and not $$ || quote_literal(:'export') || $$::jsonb ? c.relname and c.relname <> 'mentions'$$,
  'every table that refers to accounts is included, except for mentions by others');
-- Also during the days of grace.
insert into account_deletions (user_id) values (tests.id('ann'));
select tests.as_user('ann');
select is(export_account() #>> '{profiles,0,username}', 'ann', 'an account that leaves can export');
select is(tests.touched('delete from account_deletions'), 1::bigint, 'and come back');
select tests.as_anon();
select throws_ok('select export_account()', '42501', null, 'visitors have nothing to export');

select * from finish();
rollback;
