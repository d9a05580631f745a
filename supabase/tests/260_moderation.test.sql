-- Moderation: rights, the queue, the rule of consequences, the log, and notices.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob', 'cat', 'eve', 'mod');
insert into moderators (user_id) values (tests.id('mod'));
select tests.share('eve', 'bad'), tests.share('eve', 'worse', 'followers_only'), tests.share('ann', 'fine'), tests.share('mod', 'own');
insert into comments (id, highlight_id, author_id, text) values (tests.id('rude'), tests.id('fine'), tests.id('eve'), 'rude words');
create function tests.report(who text, kind text, what text) returns void language sql as $$
  insert into public.content_reports (reporter_id, reported_type, reported_id, report_type)
  values (tests.id(who), kind, tests.id(what), 'spam');
$$;
select tests.report('ann', 'comment', 'rude'), tests.report('bob', 'comment', 'rude'), tests.report('bob', 'highlight', 'bad'),
  tests.report('bob', 'user_profile', 'eve'), tests.report('eve', 'highlight', 'fine'), tests.report('eve', 'highlight', 'fine');
update content_reports set created_at = now() - interval '1 hour' where reporter_id = tests.id('bob') and reported_type = 'comment';
insert into account_flags (user_id, reason, observed_count) values (tests.id('eve'), 'shared_rallies', 21);
-- A decision as its consequence.
create function tests.decide(action text, kind text, what text) returns text language sql as $$
  select (decision ->> 'action') || coalesce(' ' || ((decision ->> 'until')::timestamptz - now())::text, '')
  from public.moderate(action, kind, tests.id(what), 'because') as decision;
$$;
create function tests.status(kind text, what text) returns text language sql security definer as $$
  select string_agg(distinct status || case when reviewed_at is null then ' open' else '' end, ' ')
  from public.content_reports where reported_type = kind and reported_id = tests.id(what);
$$;

select create_upload(tests.id('eve'), 'prepared', jsonb_build_object('highlight_id', tests.id('prepared'), 'tags', array[]::text[],
  'privacy_level', 'public', 'hide_likes', false, 'duration', 9)) ->> 'id' as prepared \gset
select record_mux_upload(:'prepared', 'u-prepared', 'https://mux.example/secret', now() + interval '1 hour');

-- A decision would concern the account that takes the ID of deleted content.
select throws_ok($$insert into comments (id, highlight_id, author_id, text) values (tests.id('rude'), tests.id('fine'), tests.id('bob'), 'x')$$,
  '42501', null, 'no other account takes the ID of a reported comment');
select throws_ok($$insert into highlights (id, author_id, mux_playback_id, duration) values (tests.id('bad'), tests.id('bob'), 'PB', 9)$$,
  '42501', null, 'or of a reported highlight');
select lives_ok($$insert into comments (id, highlight_id, author_id, text) values (tests.id('rude'), tests.id('fine'), tests.id('eve'), 'x')
  on conflict do nothing$$, 'the author repeats a request');

-- Rights.
select tests.as_user('ann');
select throws_ok(statement, '42501', null, 'not for users: ' || statement)
from unnest(array['select moderation_queue()', 'select moderation_log()',
  'select moderate($$dismiss$$, $$highlight$$, tests.id($$bad$$), $$x$$)', 'insert into moderators (user_id) values (tests.id($$ann$$))',
  'delete from moderators']) as statement;
select is_empty('select from moderators', 'users don''t see who moderates');
select tests.as_anon();
select throws_ok(statement, '42501', null, 'not for visitors: ' || statement)
from unnest(array['select moderation_queue()', 'select moderation_log()', 'select from moderators', 'select restricted_until()']) as statement;
select tests.as_user('mod');
select isnt_empty('select from moderators', 'moderators see that they are');

-- The queue.
select results_eq('select target_type, target_id, user_id, report_count, report_types, flag_count, content from moderation_queue()',
  $$select * from (values
    ('comment', tests.id('rude'), tests.id('eve'), 2, '{spam}'::text[], 0, 'rude words'),
    ('highlight', tests.id('bad'), tests.id('eve'), 1, '{spam}', 0, 'bad'),
    ('highlight', tests.id('fine'), tests.id('ann'), 1, '{spam}', 0, 'fine'),
    ('user_profile', tests.id('eve'), tests.id('eve'), 1, '{spam}', 1, E'eve\neve')) q (a, b, c, d, e, f, g)
    order by a <> 'comment', b$$, 'reports and flags by target, the oldest first');
select is((select count(*) from moderation_queue(1, 1)), 1::bigint, 'a page');
select is((select mux_playback_id from moderation_queue() where target_id = tests.id('bad')), 'https://example.com/bad.mp4',
  'with the video');

-- The rule.
select is(tests.decide('dismiss', 'highlight', 'fine'), 'dismiss', 'no offense');
select is(tests.status('highlight', 'fine'), 'dismissed', 'the report is dismissed');
select throws_ok($$select tests.decide('restrict', 'user_profile', 'eve')$$, 'PT409', null, 'the first offense is no restriction');
select throws_ok($$select tests.decide('lift', 'user_profile', 'eve')$$, 'PT409', null, 'there is nothing to lift');
select is(tests.decide('remove', 'comment', 'rude'), 'warn', 'the first offense is a warning');
select is(tests.status('comment', 'rude'), 'action_taken', 'all reports of the comment are done');
select is_empty($$select from comments where id = tests.id('rude')$$, 'the comment is removed');
select is(tests.decide('warn', 'highlight', 'bad'), 'restrict 7 days', 'the second one a restriction');
select is(tests.status('highlight', 'bad'), 'action_taken', 'its report is done');
select isnt_empty($$select from highlights where id = tests.id('bad')$$, 'a warning removes nothing');
select is(tests.decide('remove', 'highlight', 'bad'), 'restrict 30 days', 'the third one a longer one');
select is_empty($$select from highlights where id = tests.id('bad')$$, 'the highlight is removed');
select is(tests.decide('restrict', 'highlight', 'worse'), 'restrict 30 days', 'also for content that the moderator can''t see');
select throws_ok($$select tests.decide('remove', 'highlight', 'bad')$$, 'PT404', null, 'removed content can''t be removed');
select is(tests.decide('dismiss', 'highlight', 'bad'), 'dismiss', 'but its reports can be dismissed');
select throws_ok($$select tests.decide('warn', 'highlight', 'nothing')$$, 'PT404', null, 'unknown content');
select throws_ok($$select tests.decide('warn', 'x', 'eve')$$, 'PT404', null, 'unknown type');
select throws_ok($$select tests.decide('x', 'user_profile', 'eve')$$, '23514', null, 'unknown action');
select throws_ok($$select moderate('warn', 'user_profile', tests.id('eve'), ' ')$$, '23514', null, 'a decision has a reason');
select throws_ok($$select tests.decide('dismiss', 'highlight', 'own')$$, '42501', null, 'moderators don''t decide about themselves');
select tests.as_owner();
update profiles set bio = 'rude', team_name = 'rude', avatar_url = 'https://example.com/rude', display_name = 'rude' where username = 'eve';
select tests.as_user('mod');
select is(tests.decide('remove', 'user_profile', 'eve'), 'restrict 30 days', 'a profile');
select results_eq($$select display_name, bio, team_name, avatar_url from profiles where id = tests.id('eve')$$,
  $$values ('Volleyball Player', null::text, null::text, null::text)$$, 'its texts are cleared');
select is_empty('select from moderation_queue()', 'the queue is done, with the flag');

-- The consequences.
select tests.as_owner();
select is(apply_mux_event('prepared', 'video.asset.ready', tests.facts() || jsonb_build_object('id', 'a-prepared',
  'upload_id', 'u-prepared', 'status', 'ready', 'playback_ids', '[{"id": "PBprepared", "policy": "public"}]'::jsonb)), 'errored',
  'an upload that was prepared before the restriction is not published');
select is((select error from uploads where id = :'prepared'), 'the account is restricted', 'with the reason');
select tests.share('eve', 'draft', 'private'), tests.share('eve', 'asked');
insert into polls (id, highlight_id, question) values (tests.id('poll'), tests.id('asked'), '?');
select tests.as_user('eve');
select is(restricted_until(), now() + interval '30 days', 'the account knows its restriction');
select throws_ok($$insert into highlights (author_id, mux_playback_id, duration) values (tests.id('eve'), 'PB', 9)$$, '42501', null,
  'no highlights');
select throws_ok($$insert into comments (highlight_id, author_id, text) values (tests.id('fine'), tests.id('eve'), 'x')$$, '42501', null,
  'no comments');
select throws_ok($$insert into polls (highlight_id, question) values (tests.id('worse'), '?')$$, '42501', null, 'no polls');
select throws_ok($$insert into poll_options (poll_id, text) values (tests.id('poll'), 'x')$$, '42501', null, 'no options');
select throws_ok(format('update highlights set %s where id = %L', change, tests.id(what)), '42501', null, what || ': ' || change)
from (values ('worse', 'caption = $$@ann rude$$'), ('worse', 'caption = null'), ('worse', 'tags = $${rude}$$'),
  ('worse', 'location_name = $$rude$$'), ('worse', 'privacy_level = $$public$$'), ('draft', 'privacy_level = $$followers_only$$'),
  ('draft', 'privacy_level = $$public$$')) as edit (what, change);
select is(tests.touched(format('update highlights set %s where id = %L', change, tests.id(what))), 1::bigint, what || ' is hidden: ' || change)
from (values (1, 'asked', 'privacy_level = $$followers_only$$'), (2, 'asked', 'privacy_level = $$private$$'),
  (3, 'asked', 'hide_likes = true, caption = caption')) as edit (step, what, change) order by step;
select is(tests.touched(format('delete from highlights where id = %L', tests.id('asked'))), 1::bigint, 'own content can be deleted');
select lives_ok($$insert into likes (user_id, highlight_id) values (tests.id('eve'), tests.id('fine'))$$, 'but likes');
select tests.as_service();
select throws_ok($$select create_upload(tests.id('eve'), 'key', jsonb_build_object('highlight_id', tests.id('new'), 'duration', 9))$$,
  '23514', null, 'no uploads');
select tests.as_user('mod');
select is(tests.decide('lift', 'user_profile', 'eve'), 'lift', 'a restriction is lifted');
select tests.as_user('eve');
select is(restricted_until(), null, 'and known to be');
select lives_ok($$insert into comments (highlight_id, author_id, text) values (tests.id('fine'), tests.id('eve'), 'sorry')$$, 'comments again');
select lives_ok($$insert into highlights (author_id, mux_playback_id, duration) values (tests.id('eve'), 'PB', 9)$$, 'highlights');
select lives_ok($$insert into polls (highlight_id, question) values (tests.id('worse'), '?')$$, 'polls');
select lives_ok($$insert into poll_options (poll_id, text) select id, 'x' from polls where highlight_id = tests.id('worse')$$, 'options');
select is(tests.touched($$update highlights set caption = 'sorry', privacy_level = 'public' where id = tests.id('draft')$$), 1::bigint, 'edits');

-- Notices.
select results_eq($$select details ->> 'action', details -> 'removed', details ->> 'content', details ->> 'reason' from notifications
    where kind = 'moderation' and details ->> 'target_type' = 'comment'$$,
  $$values ('warn', 'true'::jsonb, 'rude words', 'because')$$, 'a notice says what was removed, and why');
select is((select count(*) from notifications where kind = 'moderation'), 6::bigint, 'one per decision');
select is_empty($$select from notifications where actor_id is not null or details::text like '%' || tests.id('mod') || '%'$$,
  'without the moderator');
select tests.as_user('ann');
select is_empty($$select from notifications where kind = 'moderation'$$, 'dismissed reports send no notice');

-- Old offenses.
select tests.as_owner();
alter table private.moderation_actions disable trigger refuse_changes;
update private.moderation_actions set created_at = now() - interval '91 days';
alter table private.moderation_actions enable trigger refuse_changes;
select tests.as_user('mod');
select is(tests.decide('warn', 'highlight', 'worse'), 'warn', 'after 90 days, an offense is the first one');
select is((select offenses from moderation_queue()), null, 'nothing is open');

-- The log.
select results_eq('select action, user_id, moderator_id from moderation_log(1)', $$values ('warn', tests.id('eve'), tests.id('mod'))$$,
  'the newest decision');
select is((select count(*) from moderation_log(1000, now() - interval '1 day')), 11::bigint, 'older ones: each removal has a consequence');
select tests.as_owner();
select throws_ok(statement, '42501', null, 'not even the owner: ' || statement)
from unnest(array['update private.moderation_actions set reason = $$x$$', 'delete from private.moderation_actions']) as statement;
delete from auth.users where id in (tests.id('eve'), tests.id('mod'));
select is((select count(*) from private.moderation_actions), 12::bigint, 'the log outlives accounts');
select is_empty('select from moderators', 'a deleted account doesn''t moderate');
select throws_ok($$insert into moderators (user_id) values (tests.id('nobody'))$$, '23503', null, 'moderators have an account');
select throws_ok(format($$insert into private.moderation_actions (moderator_id, user_id, action, target_type, target_id, reason, until)
  values (tests.id('a'), tests.id('b'), %L, %L, tests.id('c'), %L, %L)$$, action, kind, reason, until), '23514', null, 'rules of the log')
from (values ('x', 'comment', 'x', null), ('warn', 'x', 'x', null), ('warn', 'comment', repeat('x', 501), null),
  ('warn', 'comment', 'x', '2100-01-01'), ('restrict', 'comment', 'x', null)) as entry (action, kind, reason, until);
grant usage on schema private to authenticated;
grant select on private.moderation_actions to authenticated;
select tests.as_user('ann');
select is_empty('select from private.moderation_actions', 'row-level security hides the log');

select * from finish();
rollback;
