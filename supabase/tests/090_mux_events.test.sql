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
    when type like 'video.asset.%' then tests.facts() || jsonb_build_object(
      'id', 'a-' || name || key, 'upload_id', 'u-' || name || key, 'status', 'ready',
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
select is(tests.event('video.upload.created', 'h1'), 'ignored', 'video.upload.created is ignored');
select is(tests.urls(:'h1'), 1::bigint, 'a waiting upload keeps its URL');
select is(tests.event('video.upload.asset_created', 'h1'), 'applied', 'video.upload.asset_created is applied');
select is(tests.status(:'h1'), 'asset_created', 'the upload''s status becomes asset_created');
select is(tests.urls(:'h1'), 0::bigint, 'the URL is deleted when the asset is created');
select is(tests.event('video.asset.created', 'h1'), 'applied', 'video.asset.created is applied');
select is(tests.event('video.asset.non_standard_input_detected', 'h1',
  '{"non_standard_input_reasons": {"video_codec": "av1"}}'), 'applied',
  'video.asset.non_standard_input_detected is applied');
select is(tests.event('video.asset.ready', 'h1', '{}', '1', 'ready-1'), 'published',
  'video.asset.ready publishes the highlight');
select is(tests.status(:'h1'), 'ready', 'the upload''s status becomes ready');
select results_eq(
  $$select author_id, mux_playback_id, mux_asset_id, thumbnail_url, caption, tags, duration, confidence, quality,
    detection_count, privacy_level, hide_likes, local_video_id, local_rally_index, likes_count, video_urls,
    location_name, rally_metadata
    from highlights where id = tests.id('h1')$$,
  $$values (tests.id('ann'), 'PBh11', 'a-h11', 'https://image.mux.com/PBh11/thumbnail.jpg?time=2', 'ace #serve',
    '{serve}'::text[], 12.5::float8, 0.5::float8, 0.25::float8, 7, 'followers_only', true, tests.id('video'), 3, 0,
    null::text[], null::text,
    '{"duration": 12.5, "confidence": 0.5, "quality": 0.25, "detection_count": 7}'::jsonb)$$,
  'the highlight has the draft''s ID and values, and the asset');
select is(upload_state(tests.id('ann'), :'h1') -> 'non_standard_input_reasons', '{"video_codec": "av1"}',
  'upload_state returns the reasons for non-standard input');
select is(upload_state(tests.id('ann'), :'h1') ->> 'playback_id', 'PBh11', 'upload_state returns the playback ID');
select is(upload_state(tests.id('ann'), :'h1') ->> 'asset_id', 'a-h11', 'upload_state returns the asset ID');
select is(tests.event('video.asset.ready', 'h1', '{}', '1', 'ready-1'), 'duplicate',
  'an event with the same ID is a duplicate');
select is(tests.event('video.asset.ready', 'h1'), 'ignored', 'a second ready event is ignored');
select is(tests.event('video.asset.errored', 'h1'), 'ignored', 'an error after the ready event is ignored');
select is((select highlights_count from profiles where id = tests.id('ann')), 1, 'the events create one highlight');
select tests.as_user('ann');
select is(tests.touched($$delete from highlights where id = tests.id('h1')$$), 1::bigint,
  'the author can delete the highlight');
select ok(tests.leftover('a-h11'), 'deleting the highlight schedules its asset for deletion');
select tests.as_service();
select is(tests.event('video.asset.ready', 'h1'), 'ignored', 'a ready event for a deleted highlight is ignored');
select is_empty($$select from highlights where id = tests.id('h1')$$,
  'a ready event does not restore a deleted highlight');

-- Any order.
select tests.open('order' || number) from generate_series(1, 6) as number;
select is(string_agg(tests.event(type, 'order1'), ' '), 'published ignored ignored',
  'events after the ready event are ignored')
from unnest(array['video.asset.ready', 'video.upload.asset_created', 'video.asset.created']) as type;
select is(string_agg(tests.event(type, 'order2'), ' '), 'published ignored ignored',
  'events after the ready event are ignored in the other order')
from unnest(array['video.asset.ready', 'video.asset.created', 'video.upload.asset_created']) as type;
select is(string_agg(tests.event(type, 'order3'), ' '), 'applied published ignored',
  'a ready event after asset.created publishes the highlight')
from unnest(array['video.asset.created', 'video.asset.ready', 'video.upload.asset_created']) as type;
select is(string_agg(tests.event(type, 'order4'), ' '), 'applied published ignored',
  'a ready event after upload.asset_created publishes the highlight')
from unnest(array['video.upload.asset_created', 'video.asset.ready', 'video.asset.created']) as type;
select is(string_agg(tests.event(type, 'order5'), ' '), 'published ignored ignored',
  'errors and cancellations after the ready event are ignored')
from unnest(array['video.asset.ready', 'video.upload.errored', 'video.upload.cancelled']) as type;
select is(string_agg(tests.event(type, 'order6'), ' '), 'published', 'a ready event alone publishes the highlight')
from unnest(array['video.asset.ready']) as type;
select is((select count(*) from highlights where id in (select tests.id('order' || n) from generate_series(1, 6) as n)),
  6::bigint, 'each order of events creates a highlight');
select is((select count(*) from uploads where highlight_id in (select tests.id('order' || n) from generate_series(1, 6) as n)
  and status = 'ready' and mux_asset_id is not null), 6::bigint, 'each order of events ends with a ready upload');

-- The webhook arrives before the Mux upload is recorded, and is matched by its passthrough.
select create_upload(tests.id('ann'), 'fast', jsonb_build_object('highlight_id', tests.id('fast'), 'duration', 9)) as fast \gset
select is(tests.event('video.upload.asset_created', 'fast',
  jsonb_build_object('new_asset_settings', jsonb_build_object('passthrough', :'fast'::jsonb ->> 'id'))), 'applied',
  'an upload event is matched by its passthrough');
select is(tests.event('video.asset.ready', 'fast', jsonb_build_object('passthrough', upper(:'fast'::jsonb ->> 'id'))),
  'published', 'an asset event is matched by its passthrough');
-- Two Mux uploads for one upload: events of the second one are ignored.
select tests.open('twice') as twice \gset
select is(tests.event('video.asset.ready', 'other', jsonb_build_object('passthrough', :'twice')), 'ignored',
  'the asset of a second Mux upload creates no highlight');
select ok(tests.leftover('a-other1'), 'the asset of a second Mux upload is scheduled for deletion');
select is(tests.status(:'twice'), 'waiting', 'the upload keeps waiting for the first Mux upload');

-- `mux_playback_id` in the form that the current app plays.
select tests.open('form') as form \gset
select throws_ok($$select apply_mux_event('form', 'video.asset.ready', '{}', 'link')$$, '23514', null,
  'an unknown form of the playback ID is rejected');
select is(apply_mux_event('form', 'video.asset.ready', tests.facts()
  || '{"id": "a-form", "upload_id": "u-form1", "playback_ids": [{"id": "PBform", "policy": "public"}]}', 'url'), 'published',
  'a ready event publishes a highlight whose playback ID is a URL');
select is((select mux_playback_id from highlights where id = tests.id('form')), 'https://stream.mux.com/PBform.m3u8',
  'the playback URL is the URL of the stream');

-- Failures.
select tests.open('bad1') as bad1, tests.open('bad2') as bad2, tests.open('bad3') as bad3, tests.open('bad4') as bad4,
  tests.open('bad5') as bad5, tests.open('bad6') as bad6 \gset
select is(tests.event('video.asset.errored', 'bad1',
  '{"status": "errored", "errors": {"type": "invalid_input", "messages": ["no video", "at all"]}}'), 'errored',
  'video.asset.errored ends the upload');
select is(tests.status(:'bad1'), 'errored: no video; at all', 'the upload''s error contains Mux''s messages');
select ok(tests.leftover('a-bad11'), 'a failed asset is scheduled for deletion');
select is(tests.event('video.asset.ready', 'bad1'), 'ignored', 'a ready event after an error is ignored');
select is(tests.event('video.asset.errored', 'bad2', '{"errors": {"type": "invalid_input"}}'), 'errored',
  'an asset error without messages ends the upload');
select is(tests.status(:'bad2'), 'errored: invalid_input',
  'the upload''s error contains the type if there are no messages');
select is(tests.event('video.upload.errored', 'bad3', '{"asset_id": null, "error": {"type": "t", "message": "gone"}}'),
  'errored', 'video.upload.errored ends the upload');
select is(tests.status(:'bad3'), 'errored: gone', 'the upload''s error contains the message of the upload error');
select is(tests.event('video.asset.errored', 'bad4', '{"errors": null}'), 'errored',
  'an asset error without details ends the upload');
select is(tests.status(:'bad4'), 'errored: no reason given', 'the upload''s error reports that there is no reason');
select is(tests.event('video.asset.ready', 'bad5', '{"playback_ids": [{"id": "x", "policy": "drm"}]}'), 'errored',
  'an asset without a public or signed playback ID ends the upload');
select is(tests.status(:'bad5'), 'errored: the asset has no playback id',
  'the upload''s error reports the missing playback ID');
select is(tests.event('video.upload.cancelled', 'bad6', '{"asset_id": null}'), 'applied',
  'video.upload.cancelled is applied');
select is(tests.status(:'bad6'), 'cancelled', 'the upload''s status becomes cancelled');
select is(tests.urls(:'bad6') + tests.urls(:'bad3') + tests.urls(:'bad1'), 0::bigint,
  'failed and canceled uploads have no URL');
select is_empty($$select from highlights where id in (select tests.id('bad' || n) from generate_series(1, 6) as n)$$,
  'failed and canceled uploads create no highlight');

-- Cancelled or superseded in the meantime.
select tests.open('late') as late \gset
select is(cancel_upload(tests.id('ann'), :'late'), 'cancelled', 'a waiting upload can be canceled');
select is(tests.event('video.upload.asset_created', 'late'), 'ignored',
  'upload.asset_created for a canceled upload is ignored');
select is(tests.event('video.asset.ready', 'late'), 'ignored', 'a ready event for a canceled upload is ignored');
select is_empty($$select from highlights where id = tests.id('late')$$, 'a canceled upload creates no highlight');
select ok(tests.leftover('a-late1'), 'the asset of a canceled upload is scheduled for deletion');
select tests.open('again', '1') as again1 \gset
select tests.event('video.upload.asset_created', 'again', '{}', '1');
select tests.open('again', '2') as again2 \gset
select is(tests.event('video.asset.ready', 'again', '{}', '1'), 'ignored',
  'a ready event for a superseded attempt is ignored');
select ok(tests.leftover('a-again1'), 'the asset of a superseded attempt is scheduled for deletion');
select is(tests.event('video.asset.ready', 'again', '{}', '2'), 'published',
  'a ready event for the current attempt publishes the highlight');
select is((select mux_playback_id from highlights where id = tests.id('again')), 'PBagain2',
  'the highlight has the asset of the current attempt');
select is(create_upload(tests.id('ann'), 'again3', jsonb_build_object('highlight_id', tests.id('again'), 'duration', 9)),
  '{"outcome": "highlight_exists"}', 'an attempt after the highlight exists is rejected');

-- Timed out by our clock, but not by Mux's.
select tests.open('slow') as slow, tests.open('slower') as slower \gset
select tests.as_owner();
update uploads set expires_at = now() where id in (:'slow', :'slower');
select tests.as_service();
select is(time_out_uploads(), 2, 'time_out_uploads ends expired uploads');
select is(time_out_uploads(), 0, 'time_out_uploads ends each upload once');
select is(tests.status(:'slow'), 'timed_out', 'the status of an expired upload becomes timed_out');
select is(tests.urls(:'slow'), 0::bigint, 'an expired upload has no URL');
select is(tests.event('video.asset.ready', 'slow'), 'published',
  'a ready event for an expired upload publishes the highlight');
select is(tests.status(:'slow'), 'ready', 'the status of the expired upload becomes ready');
select tests.open('slower', '2') as slower2 \gset
select is(tests.event('video.asset.ready', 'slower', '{}', '1'), 'ignored',
  'a ready event for an expired attempt is ignored if there is a new attempt');
select is(tests.status(:'slower'), 'timed_out', 'the expired attempt remains timed out');

-- The data may have arrived in the last moment, so Mux is asked first.
select tests.open('last') as last \gset
select tests.as_owner();
update uploads set checked_at = now() - interval '1 minute', expires_at = now() - interval '1 second' where id = :'last';
select tests.as_service();
select is(time_out_uploads(), 0, 'an upload that was not checked after its expiry does not time out');
select set_eq('select id from uploads_to_check()', format('select %L::uuid', :'last'),
  'uploads_to_check returns the expired upload');
select is(time_out_uploads(), 1, 'the upload times out after the check');

-- The highlight's ID is already used.
select tests.open('mine') as mine, tests.open('taken') as taken \gset
select tests.as_owner();
select tests.share('ann', 'mine'), tests.share('bob', 'taken');
select tests.as_service();
select is(tests.event('video.asset.ready', 'mine'), 'published',
  'a ready event accepts a highlight that the app inserted');
select is(tests.status(:'mine'), 'ready', 'the upload of an inserted highlight becomes ready');
select is((select mux_playback_id from highlights where id = tests.id('mine')), 'https://example.com/mine.mp4',
  'the inserted highlight keeps its video');
select ok(tests.leftover('a-mine1'), 'the asset of an inserted highlight is scheduled for deletion');
select is(tests.event('video.asset.ready', 'taken'), 'errored',
  'a ready event for another author''s highlight ID is an error');
select is(tests.status(:'taken'), 'errored: the highlight''s id is taken',
  'the upload''s error reports that the ID is taken');
select ok(tests.leftover('a-taken1'), 'the asset for a taken ID is scheduled for deletion');

-- Events for unknown uploads.
select is(tests.event('video.asset.ready', 'nobody'), 'unknown_upload',
  'a ready event for an unknown upload has no effect');
select ok(not tests.leftover('a-nobody1'), 'the asset of an unknown upload is not scheduled for deletion');
select is(tests.event('video.live_stream.active', 'h1'), 'ignored', 'an event of an unknown type is ignored');
select is(tests.event('video.asset.ready', 'x', '{"passthrough": "no uuid", "upload_id": null}'), 'unknown_upload',
  'an invalid passthrough does not match an upload');
select is(tests.event('video.asset.ready', 'x', '{"id": null, "upload_id": null}'), 'unknown_upload',
  'an event without identifiers does not match an upload');

-- The author's account is deleted during the upload.
select tests.open('gone', '1', 'bob') as gone \gset
select tests.as_owner();
delete from auth.users where id = tests.id('bob');
select tests.as_service();
select ok(tests.leftover('u-gone1'), 'deleting the author schedules the Mux upload for cancellation');
select is(tests.event('video.asset.ready', 'gone'), 'unknown_upload',
  'a ready event after the author''s deletion has no effect');
select ok(tests.leftover('a-gone1'), 'a ready event after the author''s deletion schedules the asset for deletion');

-- Uploads that the sweep checks.
select tests.open('quiet') as quiet \gset
select is_empty(format('select from uploads_to_check() where id = %L', :'quiet'),
  'uploads_to_check omits a new upload');
select tests.as_owner();
update uploads set checked_at = now() - interval '11 minutes';
select tests.as_service();
select set_eq('select id from uploads_to_check()', $$select id from uploads
  where status in ('waiting', 'asset_created') and mux_upload_id is not null$$,
  'uploads_to_check returns uploads without an event for ten minutes');
select is_empty('select from uploads_to_check()', 'uploads_to_check returns each upload once per ten minutes');
select tests.as_owner();
update uploads set checked_at = now() - interval '11 minutes';
select tests.as_service();
select is((select count(*) from uploads_to_check(1)), 1::bigint,
  'uploads_to_check returns at most the requested count');
select tests.as_owner();
update private.mux_events set received_at = now() - interval '8 days' where id = 'ready-1';
update private.shares set created_at = now() - interval '2 days';
select tests.as_service();
select lives_ok('select time_out_uploads()', 'the sweep runs time_out_uploads');
select tests.as_owner();
select is_empty($$select from private.mux_events where id = 'ready-1'$$, 'the sweep deletes old events');
select is_empty('select from private.shares', 'the sweep deletes old share counts');

select * from finish();
rollback;
