-- Highlights inserted by clients: hidden from others until the server has seen their video.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob');
insert into follows (follower_id, following_id) values (tests.id('bob'), tests.id('ann'));

-- Creates an upload with a given state at Mux.
create function tests.upload(author text, name text, asset_status text default null) returns void language plpgsql as $$
begin
  insert into public.uploads (id, author_id, idempotency_key, highlight_id, duration, attempt, mux_upload_id, expires_at)
  values (tests.id('upload-' || name), tests.id(author), name, tests.id(name), 9, 1, 'U-' || name, now() + interval '1 hour');
  perform tests.event(name, asset_status) where asset_status is not null;
end;
$$;
create function tests.event(name text, asset_status text) returns text language sql as $$
  select public.apply_mux_event('event-' || name || asset_status, 'video.asset.' || asset_status, jsonb_build_object(
    'id', 'A-' || name, 'upload_id', 'U-' || name,
    'playback_ids', jsonb_build_array(jsonb_build_object('id', 'PB-' || name, 'policy', 'public'))));
$$;
create function tests.insert_row(author text, name text, playback text, videos text[] default null) returns void
language sql as $$
  insert into public.highlights (id, author_id, mux_playback_id, video_urls, duration)
  values (tests.id(name), tests.id(author), playback, videos, 9);
$$;
create function tests.seen(name text) returns boolean language sql as $$
  select exists (select from public.highlights where id = tests.id(name));
$$;
create function tests.shows(name text, wanted boolean, why text) returns setof text language plpgsql as $$
begin
  perform tests.as_user('bob');
  return next is(tests.seen(name), wanted, why || ': a follower');
  perform tests.as_anon();
  return next is(tests.seen(name), wanted, why || ': anon');
  perform tests.as_user('ann');
  return next ok(tests.seen(name), why || ': the author');
  perform tests.as_service();
  return next ok(tests.seen(name), why || ': the service');
  perform tests.as_owner();
end;
$$;
grant execute on all functions in schema tests to anon, authenticated, service_role;

-- A video that the server doesn't know.
select tests.as_user('ann');
select tests.insert_row('ann', 'unknown', 'PB-unknown');
select is((select is_ready from highlights where id = tests.id('unknown')), false, 'the row waits');
select tests.shows('unknown', false, 'an unknown video');
select tests.as_user('bob');
select throws_ok($$insert into likes (user_id, highlight_id) values (tests.id('bob'), tests.id('unknown'))$$, '42501', null,
  'it can''t be liked');
select throws_ok($$insert into comments (author_id, highlight_id, text) values (tests.id('bob'), tests.id('unknown'), 'x')$$,
  '42501', null, 'or comments');
select is_empty($$select from feed() where id = tests.id('unknown')$$, 'it is in no feed');
select is_empty($$select from discover_highlights()$$, 'and not discovered');
select tests.as_owner();
update highlights set tags = '{ace}' where id = tests.id('unknown');
select tests.as_user('bob');
select is_empty($$select from highlights_with_tag('ace')$$, 'or found by its tag');
select tests.as_user('ann');
select throws_ok($$update highlights set is_ready = true$$, '42501', null, 'the author cannot make it ready');
select throws_ok($$insert into highlights (author_id, mux_playback_id, duration, is_ready)
  values (tests.id('ann'), 'P', 9, true)$$, '42501', null, 'and clients can''t set is_ready');
select tests.as_service();
select lives_ok($$insert into highlights (id, author_id, mux_playback_id, duration)
  values (tests.id('served'), tests.id('ann'), 'P', 9)$$, 'the server inserts');
select tests.shows('served', true, 'a row of the server');

-- An asset that becomes ready before the row is inserted, or afterwards.
select tests.as_owner();
select tests.upload('ann', 'early', 'ready');
select tests.as_user('ann');
select tests.insert_row('ann', 'after', 'PB-early');
select tests.insert_row('ann', 'stream', 'https://stream.mux.com/PB-early.m3u8');
select tests.insert_row('ann', 'elsewhere', 'https://evil.example/PB-early.m3u8');
select tests.as_user('bob');
select tests.insert_row('bob', 'stolen', 'PB-early');
select tests.shows('after', true, 'the playback id of an asset that is ready');
select tests.shows('stream', true, 'its stream');
select tests.shows('elsewhere', false, 'an address elsewhere');
select tests.as_owner();
select is((select is_ready from highlights where id = tests.id('stolen')), false, 'another''s asset is not one''s own');

select tests.upload('ann', 'late', 'created');
select tests.as_user('ann');
select tests.insert_row('ann', 'before', 'PB-late');
select tests.shows('before', false, 'an asset that is being made');
select is(tests.event('late', 'ready'), 'published', 'the asset is ready');
select tests.shows('before', true, 'an asset that became ready');
select tests.shows('late', true, 'its own highlight');

-- A row of the app with the upload's ID gets the video and keeps its text.
select tests.upload('ann', 'mine', 'created');
select tests.as_user('ann');
insert into highlights (id, author_id, mux_playback_id, caption, rally_metadata)
values (tests.id('mine'), tests.id('ann'), 'file', 'My words',
  '{"duration": 0, "confidence": 0, "quality": 0, "detection_count": 0}');
select tests.shows('mine', false, 'the upload''s row before its asset');
select is(tests.event('mine', 'ready'), 'published', 'its asset is ready');
select tests.shows('mine', true, 'the upload''s row');
select is(row(mux_playback_id, mux_asset_id, thumbnail_url, caption, duration)::text,
  '(PB-mine,A-mine,https://image.mux.com/PB-mine/thumbnail.jpg?time=2,"My words",9)', 'it has the asset, and its words')
from highlights where id = tests.id('mine');
select is_empty($$select from private.mux_leftovers where id = 'A-mine'$$, 'the asset is kept');
select is((select highlights_count from profiles where id = tests.id('ann')), 9, 'it is counted once');

-- Several videos must all be playable.
select tests.upload('ann', 'one', 'ready');
select tests.upload('ann', 'two', 'created');
select tests.as_user('ann');
select tests.insert_row('ann', 'both', 'PB-one', '{https://stream.mux.com/PB-one.m3u8,https://stream.mux.com/PB-two.m3u8}');
select tests.shows('both', false, 'one video of two');
select is(tests.event('two', 'ready'), 'published', 'the other is ready');
select tests.shows('both', true, 'both videos');

-- Failed and deleted assets are not playable.
select tests.upload('ann', 'broken', 'created');
select tests.event('broken', 'errored');
select tests.upload('ann', 'gone', 'ready');
delete from highlights where id = tests.id('gone');
select tests.as_user('ann');
select tests.insert_row('ann', 'of-broken', 'PB-broken');
select tests.insert_row('ann', 'of-gone', 'PB-gone');
select tests.shows('of-broken', false, 'an asset that failed');
select tests.shows('of-gone', false, 'an asset that was deleted');

-- Videos in the Storage, where the app uploads.
create function tests.url(name text, author text default 'ann') returns text language sql as $$
  select 'https://ref.supabase.co/storage/v1/object/public/videos/' || tests.id(author) || '/' || name;
$$;
create function tests.store(name text, author text default 'ann', type text default 'video/mp4', size bigint default 9,
  bucket text default 'videos') returns void language sql as $$
  insert into storage.objects (bucket_id, name, metadata)
  values (bucket, tests.id(author) || '/' || name, jsonb_build_object('mimetype', type, 'size', size));
$$;
insert into storage.buckets (id, name, public) values ('videos', 'videos', true), ('avatars', 'avatars', true)
on conflict do nothing;
select tests.store('a.mp4');
select tests.store('text.mp4', type => 'text/html');
select tests.store('empty.mp4', size => 0);
select tests.store('face.mp4', bucket => 'avatars');
select tests.store('b.mp4', 'bob');
select tests.as_user('ann');
select tests.insert_row('ann', 's-a', tests.url('a.mp4'));
select tests.as_owner();
select is((select is_ready from highlights where id = tests.id('s-a')), false, 'the project''s URL is not known yet');
select tests.as_service();
select is(show_playable_highlights('https://ref.supabase.co/'), 1, 'the sweep brings it');
select is(show_playable_highlights('https://ref.supabase.co'), 0, 'once');
select tests.shows('s-a', true, 'a video in the Storage');
select tests.as_user('ann');
select tests.insert_row('ann', 's-' || name, tests.url(name, author))
from (values ('a.mp4', 'ann'), ('none.mp4', 'ann'), ('text.mp4', 'ann'), ('empty.mp4', 'ann'), ('face.mp4', 'ann'),
  ('b.mp4', 'bob')) as video (name, author);
select tests.insert_row('ann', 's-host', replace(tests.url('a.mp4'), 'ref', 'evil'));
select tests.as_owner();
select is((select array_agg(video order by video) from unnest(array['s-a.mp4', 's-none.mp4', 's-text.mp4', 's-empty.mp4',
    's-face.mp4', 's-b.mp4', 's-host']) as video join highlights on id = tests.id(video) where is_ready),
  array['s-a.mp4'], 'the author''s own videos in the Storage, from now on at once');
select tests.store('none.mp4');
update highlights set created_at = now() - interval '9 days' where id = tests.id('s-none.mp4');
select tests.as_service();
select is(show_playable_highlights('https://ref.supabase.co'), 0, 'rows older than the upload limit are not checked');
select tests.as_owner();
update highlights set created_at = now() - interval '7 days' where id = tests.id('s-none.mp4');
select tests.as_service();
select is(show_playable_highlights('https://ref.supabase.co'), 1, 'a video that arrives later');
select tests.as_user('ann');
select throws_ok($$select show_playable_highlights('https://evil.example')$$, '42501', null, 'the sweep''s alone');

select tests.as_owner();
grant select on private.project_urls to authenticated;
select tests.as_user('ann');
select is_empty('select from private.project_urls', 'row-level security hides the URLs');
select tests.as_owner();
revoke select on private.project_urls from authenticated;

-- Zeros mean that there is no metadata.
select tests.as_user('ann');
insert into highlights (id, author_id, mux_playback_id, rally_metadata)
values (tests.id('zeros'), tests.id('ann'), 'P', '{"duration": 0, "confidence": 0.0, "quality": 0, "detection_count": 0}');
select is(row(duration, confidence, quality, detection_count, rally_metadata)::text,
  '(,,,,"{""quality"": 0, ""duration"": 0, ""confidence"": 0.0, ""detection_count"": 0}")', 'zeros are no facts')
from highlights where id = tests.id('zeros');
select throws_ok($$insert into highlights (author_id, mux_playback_id, rally_metadata)
  values (tests.id('ann'), 'P', '{"duration": 0, "confidence": 0.5, "quality": 0, "detection_count": 0}')$$, '23514', null,
  'one fact and no duration is no rally');
-- The duration of a post is the sum of its clips' durations.
select lives_ok($$insert into highlights (author_id, mux_playback_id, video_urls, rally_metadata)
  values (tests.id('ann'), 'https://a/1', '{https://a/1,https://a/2}',
    '{"duration": 120, "confidence": 1, "quality": 1, "detection_count": 2}')$$, 'two minutes in two videos');
select throws_ok($$insert into highlights (author_id, mux_playback_id, video_urls, duration)
  values (tests.id('ann'), 'https://a/1', '{https://a/1,https://a/2}', 121)$$, '23514', null, 'not more');

select * from finish();
rollback;
