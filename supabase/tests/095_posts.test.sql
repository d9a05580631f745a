-- Posts of several clips: each clip is an upload, and all together become one highlight, or none.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob');

-- Calls `create_upload` for a clip of the post `name`.
create function tests.draft(name text, part integer, count integer, more jsonb) returns jsonb language sql as $$
  select jsonb_build_object('highlight_id', tests.id(name), 'part', part, 'part_count', count, 'caption', 'clip ' || part,
    'tags', array['t' || part], 'duration', 10 + part, 'confidence', 0.5, 'quality', 0.25, 'detection_count', part,
    'local_video_id', tests.id('video'), 'local_rally_index', part) || more;
$$;
create function tests.try(name text, part integer, count integer default 3, key text default '1', more jsonb default '{}',
  author text default 'ann') returns jsonb language sql as $$
  select public.create_upload(tests.id(author), name || part || '-' || key, tests.draft(name, part, count, more));
$$;
create function tests.open(name text, part integer, count integer default 3, key text default '1') returns uuid
language plpgsql as $$
declare
  ticket jsonb := tests.try(name, part, count, key);
begin
  perform public.record_mux_upload((ticket ->> 'id')::uuid, 'u-' || name || part || '-' || key, 'https://mux.example/u',
    now() + interval '1 hour');
  return ticket ->> 'id';
end;
$$;
create sequence tests.events;
grant usage on sequence tests.events to service_role;
create function tests.event(type text, name text, part integer, key text default '1', more jsonb default '{}',
  form text default 'id') returns text language sql as $$
  select public.apply_mux_event('event-' || nextval('tests.events'), type, case
    when type like 'video.asset.%' then tests.facts() || jsonb_build_object(
      'id', 'a-' || name || part || '-' || key, 'upload_id', 'u-' || name || part || '-' || key,
      'playback_ids', jsonb_build_array(jsonb_build_object('id', 'PB' || name || part, 'policy', 'public')))
    else jsonb_build_object('id', 'u-' || name || part || '-' || key, 'asset_id', 'a-' || name || part || '-' || key)
    end || more, form);
$$;
create function tests.ready(name text, part integer, key text default '1') returns text language sql as $$
  select tests.event('video.asset.ready', name, part, key);
$$;
-- The status of the current upload of each part: `waiting asset_created …`.
create function tests.statuses(name text) returns text language sql security definer as $$
  select string_agg(status, ' ' order by part) from public.uploads
  where highlight_id = tests.id(name) and not superseded;
$$;
create function tests.error(upload uuid) returns text language sql security definer as $$
  select error from public.uploads where id = upload;
$$;
create function tests.leftovers(name text) returns text language sql security definer as $$
  select string_agg(id, ' ' order by id collate "C") from private.mux_leftovers where id like '%-' || name || '%';
$$;
grant execute on all functions in schema tests to service_role;

-- One highlight when the last of three clips is ready, in any order.
select tests.as_service();
select tests.open('h1', 2) as third, tests.open('h1', 0) as first, tests.open('h1', 1) as second \gset
select is(tests.try('h1', 0) ->> 'outcome', 'repeated', 'the same key for a clip returns the same upload');
select is(tests.event('video.upload.asset_created', 'h1', 1), 'applied',
  'an asset_created event of the second clip is applied');
select is(tests.ready('h1', 2), 'applied', 'a ready event of the last clip is applied');
select is(tests.statuses('h1'), 'waiting asset_created asset_created', 'ready clips wait for the other clips');
select is(upload_state(tests.id('ann'), :'third') ->> 'playback_id', 'PBh12',
  'upload_state returns the playback ID of a waiting clip');
select is(tests.event('video.asset.created', 'h1', 2), 'ignored',
  'an asset_created event after the ready event is ignored');
select is(tests.event('video.asset.errored', 'h1', 2), 'ignored', 'an asset error after the ready event is ignored');
select is(tests.event('video.upload.errored', 'h1', 2), 'ignored', 'an upload error after the ready event is ignored');
select is(tests.ready('h1', 2), 'applied', 'a second ready event of a waiting clip is applied');
select is_empty($$select from highlights where id = tests.id('h1')$$, 'one ready clip of three creates no highlight');
select is(tests.ready('h1', 0), 'applied', 'a ready event of the second clip is applied');
select is_empty($$select from highlights where id = tests.id('h1')$$, 'two ready clips of three create no highlight');
select is(tests.ready('h1', 1), 'published', 'the last ready clip publishes the highlight');
select is(tests.statuses('h1'), 'ready ready ready', 'the uploads of all clips become ready');
select results_eq(
  $$select author_id, mux_playback_id, mux_asset_id, thumbnail_url, video_urls, caption, tags, duration, confidence,
    quality, detection_count, local_video_id, local_rally_index
    from highlights where id = tests.id('h1')$$,
  $$values (tests.id('ann'), 'PBh10', 'a-h10-1', 'https://image.mux.com/PBh10/thumbnail.jpg?time=2',
    array['https://stream.mux.com/PBh10.m3u8', 'https://stream.mux.com/PBh11.m3u8', 'https://stream.mux.com/PBh12.m3u8'],
    'clip 0', '{t0}'::text[], 10::float8, 0.5::float8, 0.25::float8, 0, tests.id('video'), null::integer)$$,
  'the highlight has the first clip''s values and all videos in order');
select is((select highlights_count from profiles where id = tests.id('ann')), 1, 'a post counts as one highlight');
select tests.as_owner();
select is((select count(*) from private.shares), 1::bigint, 'a post counts once in the hourly limit');
select tests.as_service();
select is(tests.ready('h1', 0), 'ignored', 'a ready event after the publication is ignored');
select is(tests.try('h1', 1, 3, '2'), '{"outcome": "highlight_exists"}',
  'a new attempt of a published clip is rejected');
select is(cancel_upload(tests.id('ann'), :'second'), 'not_waiting', 'a published clip cannot be canceled');
select is(tests.leftovers('h1'), null, 'no asset of a published post is scheduled for deletion');
select tests.as_user('ann');
select is(tests.touched($$delete from highlights where id = tests.id('h1')$$), 1::bigint,
  'the author can delete the post');
select is(tests.leftovers('h1'), 'a-h10-1 a-h11-1 a-h12-1', 'deleting a post schedules all its assets for deletion');
select tests.as_service();
select is(tests.ready('h1', 1), 'ignored', 'a ready event does not restore a deleted post');

-- A later share with the same ID doesn't include earlier clips.
select tests.open('h1', 0, 3, '2');
select is(tests.ready('h1', 0, '2'), 'applied', 'a ready clip of a new post with the same ID is applied');
select is_empty($$select from highlights where id = tests.id('h1')$$,
  'clips of a deleted post do not count for the new post');

-- With `url`, the first clip is a URL, too.
select tests.open('form', 0, 2), tests.open('form', 1, 2);
select is(tests.event('video.asset.ready', 'form', 0, '1', '{}', 'url')
  || tests.event('video.asset.ready', 'form', 1, '1', '{}', 'url'), 'appliedpublished',
  'both clips of a post with playback URLs are applied');
select results_eq($$select mux_playback_id, video_urls from highlights where id = tests.id('form')$$,
  $$values ('https://stream.mux.com/PBform0.m3u8',
    array['https://stream.mux.com/PBform0.m3u8', 'https://stream.mux.com/PBform1.m3u8'])$$,
  'the playback IDs of a post are URLs');

-- Each clip has its own attempts.
select tests.open('again', 0) as a0, tests.open('again', 1) as a1, tests.open('again', 2) as a2 \gset
select tests.ready('again', 0);
select is((tests.try('again', 1, 3, '2') ->> 'attempt')::integer, 2, 'a clip can have a second attempt');
select is(tests.statuses('again'), 'asset_created waiting waiting',
  'a second attempt of a clip leaves the other clips unchanged');
select is(tests.error(:'a1'), 'a newer upload of this highlight took its place',
  'a second attempt of a clip supersedes the first one');
select record_mux_upload((tests.try('again', 1, 3, '2') ->> 'id')::uuid, 'u-again1-2', 'https://mux.example/u', now()
  + interval '1 hour');
select is(tests.ready('again', 1), 'ignored', 'a ready event for a superseded clip is ignored');
select is(tests.ready('again', 2), 'applied', 'a ready event of the last other clip is applied');
select is(tests.ready('again', 1, '2'), 'published', 'the second attempt of a clip publishes the post');
select tests.as_owner();
select is((select mux_asset_id from private.post_assets where mux_asset_id like 'a-again1%'), 'a-again1-2',
  'the post has the asset of the second attempt');
select tests.as_service();
select is(tests.leftovers('again'), 'a-again1-1 u-again1-1',
  'the superseded asset and Mux upload are scheduled for removal');

-- All clips must have the same part count.
select tests.open('count', 0), tests.open('count', 1);
select is(tests.try('count', 2, 4), '{"outcome": "different_post"}', 'a clip with a larger part count is rejected');
select is(tests.try('count', 0, 1, '2'), '{"outcome": "different_post"}',
  'a clip with a part count of one is rejected');
select is(tests.try('count', 0, 3, '1', '{"part": 1}'), '{"outcome": "different_draft"}',
  'a key with a different part is a conflict');
select is(tests.try('count', 0, 3, '1', '{"part_count": 2}'), '{"outcome": "different_draft"}',
  'a key with a different part count is a conflict');
select is(tests.try('count', 2, 4, '1', '{}', 'bob') ->> 'outcome', 'created',
  'another author''s post can have the same ID and a different part count');
select is(cancel_upload(tests.id('ann'), (tests.try('count', 0) ->> 'id')::uuid), 'cancelled',
  'a clip of the unfinished post can be canceled');
select is(tests.try('count', 0, 2, '2') ->> 'outcome', 'created',
  'a new post can have a different part count after a cancellation');
select results_eq($$select part, part_count from uploads
  where author_id = tests.id('ann') and highlight_id = tests.id('count') and not superseded$$,
  $$values (0::smallint, 2::smallint)$$, 'only the clip of the new post is current');
select throws_ok(format('select tests.try(%L, %s, %s, %L, %L)', 'bad', part, count, 'key',
  '{"detection_count": 0, "local_rally_index": 0, "duration": 9}'), '23514', null,
  format('part %s of %s is rejected', part, count))
from (values (-1, 3), (3, 3), (0, 0), (0, 11), (1, 1)) as wrong (part, count);
select is(tests.try('most', 9, 10) ->> 'outcome', 'created', 'a post can have ten clips');

-- A failed clip ends the post.
select tests.open('bad', 0) as b0, tests.open('bad', 1) as b1, tests.open('bad', 2) as b2 \gset
select tests.ready('bad', 0);
select is(tests.event('video.asset.errored', 'bad', 1, '1', '{"errors": {"messages": ["no video"]}}'), 'errored',
  'a failed clip is reported');
select is(tests.statuses('bad'), 'errored errored errored', 'a failed clip ends all clips of the post');
select is(tests.error(:'b1'), 'no video', 'the failed clip has the reason');
select is(tests.error(:'b0'), 'another clip of the post failed: no video',
  'the other clips report that a clip of the post failed');
select is(tests.leftovers('bad'), 'a-bad0-1 a-bad1-1 u-bad2-1',
  'a failed post schedules all objects at Mux for removal');
select is(tests.ready('bad', 2), 'ignored', 'a ready event for a failed post is ignored');
select is(tests.leftovers('bad'), 'a-bad0-1 a-bad1-1 a-bad2-1 u-bad2-1',
  'a late asset of a failed post is scheduled for deletion');
select tests.as_owner();
select is_empty($$select from private.upload_urls where upload_id in (select id from uploads where highlight_id
  = tests.id('bad'))$$, 'a failed post has no URLs');
select tests.as_service();
select tests.open('lost', 0, 2), tests.open('lost', 1, 2);
select tests.ready('lost', 1);
select is(tests.event('video.upload.errored', 'lost', 0, '1', '{"asset_id": null, "error": {"message": "gone"}}'),
  'errored', 'a failed upload of a clip is reported');
select is(tests.statuses('lost'), 'errored errored', 'a failed upload of a clip ends all clips of the post');
select tests.open('mute', 0, 2), tests.open('mute', 1, 2);
select is(tests.event('video.asset.ready', 'mute', 0, '1', '{"playback_ids": []}'), 'errored',
  'a clip whose asset has no playback ID is reported');
select is(tests.statuses('mute'), 'errored errored', 'a missing playback ID ends all clips of the post');
select tests.open('taken', 0, 2), tests.open('taken', 1, 2);
select tests.as_owner();
select tests.share('bob', 'taken');
select tests.as_service();
select tests.ready('taken', 0);
select is(tests.ready('taken', 1), 'errored', 'a post with another author''s highlight ID is an error');
select is(tests.statuses('taken'), 'errored errored', 'a taken highlight ID ends all clips of the post');
select is(tests.leftovers('taken'), 'a-taken0-1 a-taken1-1', 'the assets for a taken ID are scheduled for deletion');
select tests.open('mine', 0, 2), tests.open('mine', 1, 2);
select tests.as_owner();
select tests.share('ann', 'mine');
select tests.as_service();
select is(tests.ready('mine', 0) || tests.ready('mine', 1), 'appliedpublished',
  'a post accepts a highlight that the app inserted');
select is(tests.statuses('mine'), 'ready ready', 'the uploads of an inserted highlight become ready');
select is(tests.leftovers('mine'), 'a-mine0-1 a-mine1-1',
  'the assets of an inserted highlight are scheduled for deletion');

-- Cancelling.
select tests.open('back', 0) as c0, tests.open('back', 1) as c1 \gset
select tests.ready('back', 0);
select is(cancel_upload(tests.id('bob'), :'c1'), null, 'another author cannot cancel a clip');
select is(cancel_upload(tests.id('ann'), :'c0'), 'cancelled', 'an author can cancel a clip that is already at Mux');
select is(tests.statuses('back'), 'cancelled cancelled', 'canceling a clip cancels the post');
select is(tests.error(:'c0'), null, 'the canceled clip has no error');
select is(tests.error(:'c1'), 'another clip of the post was cancelled',
  'the other clips report that a clip of the post was canceled');
select is(tests.leftovers('back'), 'a-back0-1 u-back1-1', 'a canceled post schedules all objects at Mux for removal');
select is(cancel_upload(tests.id('ann'), :'c1'), 'not_waiting', 'a canceled post cannot be canceled again');
select tests.open('there', 0, 2) as t0, tests.open('there', 1, 2) as t1 \gset
select tests.ready('there', 0);
select is(tests.event('video.upload.cancelled', 'there', 1, '1', '{"asset_id": null}'), 'applied',
  'a cancellation at Mux is applied');
select is(tests.statuses('there'), 'cancelled cancelled', 'a cancellation at Mux cancels the post');

-- The sweep: clips that wait for others need no check, and missing clips time out.
select tests.open('slow', 0, 2) as s0, tests.open('slow', 1, 2) as s1 \gset
select tests.ready('slow', 0);
select tests.as_owner();
update uploads set checked_at = now() - interval '1 hour' where id in (:'s0', :'s1');
select tests.as_service();
select is((select count(*) from uploads_to_check() where id = :'s0'), 0::bigint,
  'uploads_to_check omits a clip that is ready');
select tests.as_owner();
update uploads set expires_at = now() - interval '1 minute', checked_at = now() where id = :'s1';
select tests.as_service();
select is(time_out_uploads(), 1, 'time_out_uploads ends an expired clip');
select is(tests.statuses('slow'), 'asset_created timed_out', 'a ready clip keeps waiting if another clip timed out');
select is(tests.try('slow', 1, 3, '2'), '{"outcome": "different_post"}',
  'a new attempt with a different part count is rejected');
select tests.as_owner();
update uploads set created_at = now() - interval '8 days' - interval '1 minute' where id in (:'s0', :'s1');
select tests.as_service();
select is((tests.try('slow', 1, 2, '2') ->> 'attempt')::integer, 2,
  'an expired clip of an old post can have a new attempt');
select is(time_out_uploads(), 0, 'a new attempt keeps an old post');
select tests.as_owner();
update uploads set created_at = now() - interval '9 days' where highlight_id = tests.id('slow');
select tests.as_service();
select is(time_out_uploads(), 1, 'time_out_uploads ends a post eight days after its last attempt');
select is(tests.statuses('slow'), 'cancelled waiting', 'ending a post cancels the clips that waited');
select is(tests.error(:'s0'), 'the other clips of the post were not uploaded',
  'the canceled clip reports that the other clips are missing');
select is(tests.leftovers('slow'), 'a-slow0-1', 'the asset of the canceled clip is scheduled for deletion');

-- An unfinished post counts once for the limit.
select tests.as_owner();
delete from uploads where author_id = tests.id('bob');
select tests.as_service();
select tests.try('pace', part, 3, '1', '{}', 'bob') from generate_series(0, 2) as part;
select tests.as_user('bob');
select is(share_allowance() ->> 'pending', '1', 'an unfinished post counts as one pending highlight');

-- Deleting the author deletes everything.
select tests.as_service();
select tests.open('end', 0, 2), tests.open('end', 1, 2), tests.open('half', 0, 2);
select tests.ready('end', 0), tests.ready('end', 1), tests.ready('half', 0);
select tests.as_owner();
select isnt_empty('select from private.post_assets', 'private.post_assets contains the assets of posts');
grant select on private.post_assets to authenticated;
select tests.as_user('ann');
select is((select count(*) from private.post_assets), 0::bigint,
  'row-level security hides the assets of posts, even with a grant');
select tests.as_owner();
select throws_ok($$insert into private.post_assets values ('x', gen_random_uuid())$$, '23503', null,
  'the highlight of a post asset must exist');
delete from auth.users where id = tests.id('ann');
select is_empty('select from private.post_assets', 'deleting an account deletes its post assets');
select is(tests.leftovers('end'), 'a-end0-1 a-end1-1',
  'deleting an account schedules the assets of its posts for deletion');
select is(tests.leftovers('half'), 'a-half0-1',
  'deleting an account schedules the assets of unfinished posts for deletion');

select * from finish();
rollback;
