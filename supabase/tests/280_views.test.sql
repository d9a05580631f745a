-- Views: what counts, limits, sums, and who sees them.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob', 'cat');
select tests.share('ann', 'clip'), tests.share('ann', 'closed', 'private'), tests.share('ann', 'other');
create function tests.events() returns bigint language sql security definer as $$ select count(*) from private.view_events; $$;
create function tests.stats(what text) returns text language sql security definer as $$
  select views || '/' || completions || '/' || watched_seconds from public.highlight_stats where highlight_id = tests.id(what);
$$;

-- What counts.
select tests.as_user('bob');
select record_view(tests.id('clip'), 3), record_view(tests.id('clip'), 5), record_view(tests.id('clip'), 4);
select is(tests.events(), 1::bigint, 'repeated playback is one event');
select record_view(tests.id('closed'), 5), record_view(tests.id('nothing'), 5), record_view(null, 5);
select record_view(tests.id('other'), watched) from unnest(array[0.5, -1, 36001, 'nan', 'infinity', null]::double precision[]) as watched;
select is(tests.events(), 1::bigint, 'invisible highlights and impossible durations are ignored');
select tests.as_user('ann');
select record_view(tests.id('clip'), 5);
select is(tests.events(), 1::bigint, 'so are own highlights');
select tests.as_anon();
select set_config('request.headers', '{"x-forwarded-for": "192.0.2.1"}', true);
select record_view(tests.id('clip'), 12), record_view(tests.id('clip'), 12);
select set_config('request.headers', '{"x-forwarded-for": "192.0.2.2"}', true);
select record_view(tests.id('clip'), 2);
select is(tests.events(), 3::bigint, 'visitors are distinguished by address');
-- What a visitor can't invent.
select set_config('request.headers', jsonb_build_object('x-forwarded-for', '198.51.100.' || number || ', 192.0.2.2')::text, true),
  record_view(tests.id('clip'), 2) from generate_series(1, 3) as number;
select set_config('request.headers', jsonb_build_object('x-forwarded-for', '198.51.100.' || number, 'cf-connecting-ip', '192.0.2.1')::text,
  true), record_view(tests.id('clip'), 2) from generate_series(1, 3) as number;
select is(tests.events(), 3::bigint, 'the visitor''s own addresses don''t count');
select set_config('request.headers', jsonb_build_object('cf-connecting-ip', '2001:db8::' || number)::text, true),
  record_view(tests.id('other'), 2) from generate_series(1, 3) as number;
select is(tests.events(), 4::bigint, 'a network of IPv6 is one visitor');
select set_config('request.headers', jsonb_build_object('x-forwarded-for', address)::text, true),
  record_view(tests.id('other'), 2) from unnest(array['no address', '', '1.2.3.4/8/8', repeat('9', 9999)]) as address;
select set_config('request.headers', '', true), record_view(tests.id('other'), 2);
select is(tests.events(), 5::bigint, 'all without an address are one visitor');
select tests.as_owner();
delete from private.view_events where highlight_id = tests.id('other');
-- The app's highlights may have no duration.
insert into highlights (id, author_id, mux_playback_id, rally_metadata) values (tests.id('endless'), tests.id('ann'), 'PB',
  '{"duration": 0, "confidence": 0, "quality": 0, "detection_count": 0}');
select tests.as_user('bob');
select lives_ok($$select record_view(tests.id('endless'), 5)$$, 'a highlight without a duration');
select tests.as_owner();
select results_eq($$select watched, completed from private.view_events where highlight_id = tests.id('endless')$$, 'values (5::real, false)',
  'has views, and no completion');
delete from highlights where id = tests.id('endless');
delete from private.view_events where highlight_id = tests.id('endless');
select tests.as_owner();
select is_empty($$select from private.view_events where viewer ~ '[.:]'$$, 'which is not stored');

-- Sums.
select tests.as_user('bob');
select throws_ok('select aggregate_views()', '42501', null, 'users don''t call the job');
select tests.as_service();
select is(aggregate_views(1), 1, 'the job adds events up');
select is(aggregate_views(), 2, 'and continues');
select is(aggregate_views(), 0, 'each event once');
select is(tests.stats('clip'), '3/1/19', 'views, completions, and the longest playbacks');
select tests.as_user('bob');
select record_view(tests.id('clip'), 11);
select tests.as_service();
select is(aggregate_views(), 1, 'a later completion is added');
select is(tests.stats('clip'), '3/2/25', 'to the same view, with the seconds that were not counted');
select tests.as_user('bob');
select record_view(tests.id('clip'), 12);
select tests.as_anon();
select set_config('request.headers', '{"x-forwarded-for": "192.0.2.2"}', true);
select record_view(tests.id('clip'), 6);
select tests.as_service();
select is(aggregate_views(), 2, 'views continue before and after their completion');
select is(tests.stats('clip'), '3/2/30', 'which adds only seconds');
select is(aggregate_views(), 0, 'once');
select tests.as_owner();
select results_eq($$select views, completions, round((score - private.score_of_time(now()))::numeric, 2) from private.highlight_scores
  where highlight_id = tests.id('clip')$$, 'values (3, 2, 0.30)', 'the score contains them');
select is((select score from private.highlight_scores where highlight_id = tests.id('closed')), null, 'hidden highlights get no score');
insert into private.view_events (highlight_id, viewer, watched, completed) values (tests.id('nothing'), 'x', 1, false),
  (tests.id('closed'), 'x', 1, false);
select tests.as_service();
select is(aggregate_views(), 1, 'events of deleted highlights are dropped');
select tests.as_owner();
select is((select score from private.highlight_scores where highlight_id = tests.id('closed')), null, 'views of hidden ones give no score');

-- Limits.
insert into private.view_events (highlight_id, viewer, watched, completed)
select gen_random_uuid(), tests.id('bob')::text, 1, false from generate_series(1, 598);
select tests.share('ann', 'third');
select tests.as_user('bob');
select record_view(tests.id('other'), 5), record_view(tests.id('third'), 5);
select tests.as_owner();
select is((select count(*) from private.view_events where viewer = tests.id('bob')::text), 600::bigint, 'a viewer has a limit');
update private.view_events set hour = hour - interval '2 hours' where viewer = tests.id('bob')::text;
select tests.as_user('bob');
select record_view(tests.id('third'), 5);
select tests.as_owner();
select is((select count(*) from private.view_events where viewer = tests.id('bob')::text), 601::bigint, 'per hour');
update private.view_events set hour = now() - interval '49 hours';
insert into private.view_salts (day) values (current_date - 2);
select tests.as_service();
select aggregate_views();
select tests.as_owner();
select is(tests.events(), 0::bigint, 'events are deleted after two days');
select is((select count(*) from private.view_salts), 1::bigint, 'secrets of earlier days, too');

-- Who sees the sums.
update highlight_stats set day = current_date - 1 where highlight_id = tests.id('clip');
select tests.as_user('ann');
select results_eq($$select caption, views::integer, completions::integer, completion_rate, watched_seconds from creator_analytics()
    where views > 0 and caption = 'clip'$$,
  $$values ('clip', 3, 2, 2 / 3.0::double precision, 30.0::double precision)$$, 'the author sees them');
select is((select count(*) from creator_analytics(30, 2, 1)), 2::bigint, 'in pages');
select is((select views::integer from creator_analytics(1) where caption = 'clip'), 0, 'for some days');
select is((select completion_rate from creator_analytics(1) where caption = 'clip'), null, 'without views, there is no rate');
select results_eq($$select views::integer, completions::integer from creator_analytics_by_day() where day = current_date - 1$$,
  'values (3, 2)', 'and per day');
select is_empty('select from creator_analytics_by_day(0)', 'of some days');
select throws_ok('update highlight_stats set views = 9', '42501', null, 'but can''t change them');
select tests.as_user('bob');
select is_empty('select from highlight_stats', 'others don''t see them');
select is_empty('select from creator_analytics()', 'and have their own');
select is_empty('select from creator_analytics_by_day()', 'per day, too');
select tests.as_anon();
select throws_ok(statement, '42501', null, 'not for visitors: ' || statement)
from unnest(array['select from highlight_stats', 'select creator_analytics()', 'select creator_analytics_by_day()']) as statement;

-- Rules of the tables.
select tests.as_owner();
select throws_ok($$insert into highlight_stats (highlight_id, day) values (tests.id('nothing'), now())$$, '23503', null,
  'sums have a highlight');
delete from highlights where id = tests.id('clip');
select is_empty($$select from highlight_stats where highlight_id = tests.id('clip')$$, 'and are deleted with it');
insert into private.view_events (highlight_id, viewer, watched, completed) values (tests.id('other'), 'x', 1, false);
grant usage on schema private to authenticated;
grant select on private.view_events, private.view_salts to authenticated;
select tests.as_user('ann');
select is_empty('select from private.view_events', 'row-level security hides events');
select is_empty('select from private.view_salts', 'and secrets');

select * from finish();
rollback;
