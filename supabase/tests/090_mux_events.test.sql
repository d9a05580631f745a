-- Mux's events: repeated, in any order, or for abandoned attempts. Each leads to one highlight, or none.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob');

-- Creates an upload of `ann` for a highlight, with the Mux upload `u-<name>`, like `POST /uploads`.
create function tests.open(name text, key text default '1', author text default 'ann') returns uuid language plpgsql as $$
declare
  ticket jsonb := public.create_upload(tests.id(author), name || key, jsonb_build_object('highlight_id', tests.id(name),
    'caption', 'ace #serve', 'tags', array['serve'], 'privacy_level', 'followers_only', 'hide_likes', true,
    'duration', 12.5, 'confidence', 0.5, 'quality', 0.25, 'detection_count', 7, 'local_video_id', tests.id('video'),
    'local_rally_index', 3));
begin
  perform public.record_mux_upload((ticket ->> 'id')::uuid, 'u-' || name || key, 'https://mux.example/secret',
    now() + interval '1 hour');
  return ticket ->> 'id';
end;
$$;
create sequence tests.events;
grant usage on sequence tests.events to service_role;
-- Applies an event about the upload `name` with a key, in Mux's format. `more` overrides its data.
create function tests.event(type text, name text, more jsonb default '{}', key text default '1', id text default null)
returns text language sql as $$
  select public.apply_mux_event(coalesce(id, 'event-' || nextval('tests.events')), type, case
    when type like 'video.asset.%' then jsonb_build_object(
      'id', 'a-' || name || key, 'upload_id', 'u-' || name || key, 'status', 'ready', 'duration', 12.48,
      'playback_ids', '[{"id": "PBsigned", "policy": "signed"}]'::jsonb
        || jsonb_build_object('id', 'PB' || name || key, 'policy', 'public'))
    else jsonb_build_object('id', 'u-' || name || key, 'status', 'asset_created', 'asset_id', 'a-' || name || key)
    end || more);
$$;
create function tests.status(upload uuid) returns text language sql security definer as $$
  select status || coalesce(': ' || error, '') from public.uploads where id = upload;
$$;
create function tests.leftover(name text) returns boolean language sql security definer as $$
  select exists (select from private.mux_leftovers where id = name);
$$;
create function tests.urls(upload uuid) returns bigint language sql security definer as $$
  select count(*) from private.upload_urls where upload_id = upload;
$$;
grant execute on all functions in schema tests to service_role;

-- The documented order: created, asset created, ready.
select tests.as_service();
select tests.open('h1') as h1 \gset
select is(tests.event('video.upload.created', 'h1'), 'ignored', 'created: ignored');
select is(tests.urls(:'h1'), 1::bigint, 'the URL is there');
select is(tests.event('video.upload.asset_created', 'h1'), 'applied', 'the bytes are there');
select is(tests.status(:'h1'), 'asset_created', 'an asset is made');
select is(tests.urls(:'h1'), 0::bigint, 'the URL is deleted');
select is(tests.event('video.asset.created', 'h1'), 'applied', 'asset created: applied');
select is(tests.event('video.asset.non_standard_input_detected', 'h1',
  '{"non_standard_input_reasons": {"video_codec": "av1"}}'), 'applied', 'a warning');
select is(tests.event('video.asset.ready', 'h1', '{}', '1', 'ready-1'), 'published', 'it is ready');
select is(tests.status(:'h1'), 'ready', 'so is the upload');
select results_eq(
  $$select author_id, mux_playback_id, mux_asset_id, thumbnail_url, caption, tags, duration, confidence, quality,
    detection_count, privacy_level, hide_likes, local_video_id, local_rally_index, likes_count, video_urls,
    location_name, rally_metadata
    from highlights where id = tests.id('h1')$$,
  $$values (tests.id('ann'), 'PBh11', 'a-h11', 'https://image.mux.com/PBh11/thumbnail.jpg?time=2', 'ace #serve',
    '{serve}'::text[], 12.5::float8, 0.5::float8, 0.25::float8, 7, 'followers_only', true, tests.id('video'), 3, 0,
    null::text[], null::text,
    '{"duration": 12.5, "confidence": 0.5, "quality": 0.25, "detection_count": 7}'::jsonb)$$,
  'the highlight is the draft''s, by its id');
select is(upload_state(tests.id('ann'), :'h1') -> 'non_standard_input_reasons', '{"video_codec": "av1"}',
  'the warning can be read');
select is(upload_state(tests.id('ann'), :'h1') ->> 'playback_id', 'PBh11', 'and the playback id');
select is(upload_state(tests.id('ann'), :'h1') ->> 'asset_id', 'a-h11', 'and the asset');
select is(tests.event('video.asset.ready', 'h1', '{}', '1', 'ready-1'), 'duplicate', 'the same event is seen once');
select is(tests.event('video.asset.ready', 'h1'), 'ignored', 'another event of the same type changes nothing');
select is(tests.event('video.asset.errored', 'h1'), 'ignored', 'a late error is ignored');
select is((select highlights_count from profiles where id = tests.id('ann')), 1, 'one highlight');
select tests.as_user('ann');
select is(tests.touched($$delete from highlights where id = tests.id('h1')$$), 1::bigint, 'ann deletes it');
select ok(tests.leftover('a-h11'), 'and its asset');
select tests.as_service();
select is(tests.event('video.asset.ready', 'h1'), 'ignored', 'it does not come back');
select is_empty($$select from highlights where id = tests.id('h1')$$, 'really not');

-- Any order.
select tests.open('order' || number) from generate_series(1, 6) as number;
select is(string_agg(tests.event(type, 'order1'), ' '), 'published ignored ignored', 'ready first')
from unnest(array['video.asset.ready', 'video.upload.asset_created', 'video.asset.created']) as type;
select is(string_agg(tests.event(type, 'order2'), ' '), 'published ignored ignored', 'ready first, asset next')
from unnest(array['video.asset.ready', 'video.asset.created', 'video.upload.asset_created']) as type;
select is(string_agg(tests.event(type, 'order3'), ' '), 'applied published ignored', 'ready in the middle')
from unnest(array['video.asset.created', 'video.asset.ready', 'video.upload.asset_created']) as type;
select is(string_agg(tests.event(type, 'order4'), ' '), 'applied published ignored', 'the other way round')
from unnest(array['video.upload.asset_created', 'video.asset.ready', 'video.asset.created']) as type;
select is(string_agg(tests.event(type, 'order5'), ' '), 'published ignored ignored', 'ready before an error')
from unnest(array['video.asset.ready', 'video.upload.errored', 'video.upload.cancelled']) as type;
select is(string_agg(tests.event(type, 'order6'), ' '), 'published', 'only ready arrives')
from unnest(array['video.asset.ready']) as type;
select is((select count(*) from highlights where id in (select tests.id('order' || n) from generate_series(1, 6) as n)),
  6::bigint, 'six highlights');
select is((select count(*) from uploads where highlight_id in (select tests.id('order' || n) from generate_series(1, 6) as n)
  and status = 'ready' and mux_asset_id is not null), 6::bigint, 'all ready');

-- The webhook arrives before the Mux upload is recorded, and is matched by its passthrough.
select create_upload(tests.id('ann'), 'fast', jsonb_build_object('highlight_id', tests.id('fast'), 'duration', 9)) as fast \gset
select is(tests.event('video.upload.asset_created', 'fast',
  jsonb_build_object('new_asset_settings', jsonb_build_object('passthrough', :'fast'::jsonb ->> 'id'))), 'applied',
  'an upload is known by its passthrough');
select is(tests.event('video.asset.ready', 'fast', jsonb_build_object('passthrough', upper(:'fast'::jsonb ->> 'id'))),
  'published', 'and so is its asset');
-- Two Mux uploads for one upload: events of the second one are ignored.
select tests.open('twice') as twice \gset
select is(tests.event('video.asset.ready', 'other', jsonb_build_object('passthrough', :'twice')), 'ignored',
  'the asset of the losing Mux upload creates no highlight');
select ok(tests.leftover('a-other1'), 'and is deleted');
select is(tests.status(:'twice'), 'waiting', 'the upload waits on');

-- `mux_playback_id` in the form that the current app plays.
select tests.open('form') as form \gset
select throws_ok($$select apply_mux_event('form', 'video.asset.ready', '{}', 'link')$$, '23514', null, 'forms are known');
select is(apply_mux_event('form', 'video.asset.ready',
  '{"id": "a-form", "upload_id": "u-form1", "playback_ids": [{"id": "PBform", "policy": "public"}]}', 'url'), 'published',
  'a URL if wished');
select is((select mux_playback_id from highlights where id = tests.id('form')), 'https://stream.mux.com/PBform.m3u8',
  'of the stream');

-- Failures.
select tests.open('bad1') as bad1, tests.open('bad2') as bad2, tests.open('bad3') as bad3, tests.open('bad4') as bad4,
  tests.open('bad5') as bad5, tests.open('bad6') as bad6 \gset
select is(tests.event('video.asset.errored', 'bad1',
  '{"status": "errored", "errors": {"type": "invalid_input", "messages": ["no video", "at all"]}}'), 'errored', 'errored');
select is(tests.status(:'bad1'), 'errored: no video; at all', 'with the reason');
select ok(tests.leftover('a-bad11'), 'its asset is deleted');
select is(tests.event('video.asset.ready', 'bad1'), 'ignored', 'and does not come back');
select is(tests.event('video.asset.errored', 'bad2', '{"errors": {"type": "invalid_input"}}'), 'errored', 'no messages');
select is(tests.status(:'bad2'), 'errored: invalid_input', 'the type is a reason');
select is(tests.event('video.upload.errored', 'bad3', '{"asset_id": null, "error": {"type": "t", "message": "gone"}}'),
  'errored', 'an upload can fail too');
select is(tests.status(:'bad3'), 'errored: gone', 'for a reason');
select is(tests.event('video.asset.errored', 'bad4', '{"errors": null}'), 'errored', 'without a reason');
select is(tests.status(:'bad4'), 'errored: no reason given', 'is said too');
select is(tests.event('video.asset.ready', 'bad5', '{"playback_ids": [{"id": "x", "policy": "signed"}]}'), 'errored',
  'an asset without a playback ID');
select is(tests.status(:'bad5'), 'errored: the asset has no public playback id', 'is an error');
select is(tests.event('video.upload.cancelled', 'bad6', '{"asset_id": null}'), 'applied', 'cancelled at Mux');
select is(tests.status(:'bad6'), 'cancelled', 'is cancelled here');
select is(tests.urls(:'bad6') + tests.urls(:'bad3') + tests.urls(:'bad1'), 0::bigint, 'no URL is left');
select is_empty($$select from highlights where id in (select tests.id('bad' || n) from generate_series(1, 6) as n)$$,
  'none makes a highlight');

-- Cancelled or superseded in the meantime.
select tests.open('late') as late \gset
select is(cancel_upload(tests.id('ann'), :'late'), 'cancelled', 'cancelled');
select is(tests.event('video.upload.asset_created', 'late'), 'ignored', 'but all bytes had arrived');
select is(tests.event('video.asset.ready', 'late'), 'ignored', 'and make an asset');
select is_empty($$select from highlights where id = tests.id('late')$$, 'no highlight');
select ok(tests.leftover('a-late1'), 'the asset is deleted');
select tests.open('again', '1') as again1 \gset
select tests.event('video.upload.asset_created', 'again', '{}', '1');
select tests.open('again', '2') as again2 \gset
select is(tests.event('video.asset.ready', 'again', '{}', '1'), 'ignored', 'a superseded attempt creates nothing');
select ok(tests.leftover('a-again1'), 'its asset is deleted');
select is(tests.event('video.asset.ready', 'again', '{}', '2'), 'published', 'the new one does');
select is((select mux_playback_id from highlights where id = tests.id('again')), 'PBagain2', 'with its own asset');
select is(create_upload(tests.id('ann'), 'again3', jsonb_build_object('highlight_id', tests.id('again'), 'duration', 9)),
  '{"outcome": "highlight_exists"}', 'a third attempt is refused');

-- Timed out by our clock, but not by Mux's.
select tests.open('slow') as slow, tests.open('slower') as slower \gset
select tests.as_owner();
update uploads set expires_at = now() where id in (:'slow', :'slower');
select tests.as_service();
select is(time_out_uploads(), 2, 'the sweep ends two uploads');
select is(time_out_uploads(), 0, 'once');
select is(tests.status(:'slow'), 'timed_out', 'timed out');
select is(tests.urls(:'slow'), 0::bigint, 'without URL');
select is(tests.event('video.asset.ready', 'slow'), 'published', 'a late asset is welcome');
select is(tests.status(:'slow'), 'ready', 'and ready');
select tests.open('slower', '2') as slower2 \gset
select is(tests.event('video.asset.ready', 'slower', '{}', '1'), 'ignored', 'unless there is a new attempt');
select is(tests.status(:'slower'), 'timed_out', 'the old attempt is unchanged');

-- The data may have arrived in the last moment, so Mux is asked first.
select tests.open('last') as last \gset
select tests.as_owner();
update uploads set checked_at = now() - interval '1 minute', expires_at = now() - interval '1 second' where id = :'last';
select tests.as_service();
select is(time_out_uploads(), 0, 'Mux was not asked after the expiry');
select set_eq('select id from uploads_to_check()', format('select %L::uuid', :'last'), 'so the upload is returned for a check');
select is(time_out_uploads(), 1, 'and times out afterwards');

-- The highlight's ID is already used.
select tests.open('mine') as mine, tests.open('taken') as taken \gset
select tests.as_owner();
select tests.share('ann', 'mine'), tests.share('bob', 'taken');
select tests.as_service();
select is(tests.event('video.asset.ready', 'mine'), 'published', 'the app was faster with its own row');
select is(tests.status(:'mine'), 'ready', 'fine');
select is((select mux_playback_id from highlights where id = tests.id('mine')), 'https://example.com/mine.mp4', 'its row is kept');
select ok(tests.leftover('a-mine1'), 'the asset is not needed');
select is(tests.event('video.asset.ready', 'taken'), 'errored', 'somebody else''s row');
select is(tests.status(:'taken'), 'errored: the highlight''s id is taken', 'stays');
select ok(tests.leftover('a-taken1'), 'this asset is deleted too');

-- Events for unknown uploads.
select is(tests.event('video.asset.ready', 'nobody'), 'unknown_upload', 'an unknown upload');
select ok(not tests.leftover('a-nobody1'), 'is not ours to delete');
select is(tests.event('video.live_stream.active', 'h1'), 'ignored', 'types we do not know');
select is(tests.event('video.asset.ready', 'x', '{"passthrough": "no uuid", "upload_id": null}'), 'unknown_upload',
  'a passthrough that is not ours');
select is(tests.event('video.asset.ready', 'x', '{"id": null, "upload_id": null}'), 'unknown_upload', 'without any identifiers');

-- The author's account is deleted during the upload.
select tests.open('gone', '1', 'bob') as gone \gset
select tests.as_owner();
delete from auth.users where id = tests.id('bob');
select tests.as_service();
select ok(tests.leftover('u-gone1'), 'the upload is cancelled');
select is(tests.event('video.asset.ready', 'gone'), 'unknown_upload', 'too late');
select ok(tests.leftover('a-gone1'), 'then the asset is deleted');

-- Uploads that the sweep checks.
select tests.open('quiet') as quiet \gset
select is_empty(format('select from uploads_to_check() where id = %L', :'quiet'), 'not at once');
select tests.as_owner();
update uploads set checked_at = now() - interval '11 minutes';
select tests.as_service();
select set_eq('select id from uploads_to_check()', $$select id from uploads
  where status in ('waiting', 'asset_created') and mux_upload_id is not null$$, 'after ten quiet minutes');
select is_empty('select from uploads_to_check()', 'and then again after ten more');
select tests.as_owner();
update uploads set checked_at = now() - interval '11 minutes';
select tests.as_service();
select is((select count(*) from uploads_to_check(1)), 1::bigint, 'in portions');
select tests.as_owner();
update private.mux_events set received_at = now() - interval '8 days' where id = 'ready-1';
update private.shares set created_at = now() - interval '2 days';
select tests.as_service();
select lives_ok('select time_out_uploads()', 'the sweep cleans up');
select tests.as_owner();
select is_empty($$select from private.mux_events where id = 'ready-1'$$, 'old events');
select is_empty('select from private.shares', 'and old shares');

select * from finish();
rollback;
