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
  select public.apply_mux_event('event-' || name || asset_status, 'video.asset.' || asset_status, tests.facts() || jsonb_build_object(
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
  return next is(tests.seen(name), wanted,
  format('a follower %s %s', case when wanted then 'sees' else 'does not see' end, why));
  perform tests.as_anon();
  return next is(tests.seen(name), wanted,
  format('a visitor %s %s', case when wanted then 'sees' else 'does not see' end, why));
  perform tests.as_user('ann');
  return next ok(tests.seen(name), 'the author sees ' || why);
  perform tests.as_service();
  return next ok(tests.seen(name), 'the service role sees ' || why);
  perform tests.as_owner();
end;
$$;
grant execute on all functions in schema tests to anon, authenticated, service_role;

-- A video that the server doesn't know.
select tests.as_user('ann');
select tests.insert_row('ann', 'unknown', 'PB-unknown');
select is((select is_ready from highlights where id = tests.id('unknown')), false,
  'a highlight with an unknown video is not ready');
select tests.shows('unknown', false, 'a highlight with an unknown video');
select tests.as_user('bob');
select throws_ok($$insert into likes (user_id, highlight_id) values (tests.id('bob'), tests.id('unknown'))$$, '42501', null,
  'a user cannot like a highlight that is not ready');
select throws_ok($$insert into comments (author_id, highlight_id, text) values (tests.id('bob'), tests.id('unknown'), 'x')$$,
  '42501', null, 'a user cannot comment on a highlight that is not ready');
select is_empty($$select from feed() where id = tests.id('unknown')$$, 'the feed omits a highlight that is not ready');
select is_empty($$select from discover_highlights()$$, 'discovery omits a highlight that is not ready');
select tests.as_owner();
update highlights set tags = '{ace}' where id = tests.id('unknown');
select tests.as_user('bob');
select is_empty($$select from highlights_with_tag('ace')$$, 'a tag search omits a highlight that is not ready');
select tests.as_user('ann');
select throws_ok($$update highlights set is_ready = true$$, '42501', null, 'an author cannot update is_ready');
select throws_ok($$insert into highlights (author_id, mux_playback_id, duration, is_ready)
  values (tests.id('ann'), 'P', 9, true)$$, '42501', null, 'a client cannot insert is_ready');
select tests.as_service();
select lives_ok($$insert into highlights (id, author_id, mux_playback_id, duration)
  values (tests.id('served'), tests.id('ann'), 'P', 9)$$, 'the server can insert a highlight');
select tests.shows('served', true, 'a highlight that the server inserted');

-- An asset that becomes ready before the row is inserted, or afterwards.
select tests.as_owner();
select tests.upload('ann', 'early', 'ready');
select tests.as_user('ann');
select tests.insert_row('ann', 'after', 'PB-early');
select tests.insert_row('ann', 'stream', 'https://stream.mux.com/PB-early.m3u8');
select tests.insert_row('ann', 'elsewhere', 'https://evil.example/PB-early.m3u8');
select tests.as_user('bob');
select tests.insert_row('bob', 'stolen', 'PB-early');
select tests.shows('after', true, 'a highlight with the playback ID of a ready asset');
select tests.shows('stream', true, 'a highlight with the stream URL of a ready asset');
select tests.shows('elsewhere', false, 'a highlight with a URL on an unknown server');
select tests.as_owner();
select is((select is_ready from highlights where id = tests.id('stolen')), false,
  'another author''s asset does not make a highlight ready');

select tests.upload('ann', 'late', 'created');
select tests.as_user('ann');
select tests.insert_row('ann', 'before', 'PB-late');
select tests.shows('before', false, 'a highlight with an asset that is not ready');
select is(tests.event('late', 'ready'), 'published', 'a ready asset publishes its highlight');
select tests.shows('before', true, 'a highlight with an asset that became ready');
select tests.shows('late', true, 'the highlight of the upload');

-- A row of the app with the upload's ID gets the video and keeps its text.
select tests.upload('ann', 'mine', 'created');
select tests.as_user('ann');
insert into highlights (id, author_id, mux_playback_id, caption, rally_metadata)
values (tests.id('mine'), tests.id('ann'), 'file', 'My words',
  '{"duration": 0, "confidence": 0, "quality": 0, "detection_count": 0}');
select tests.shows('mine', false, 'the app''s row before its asset is ready');
select is(tests.event('mine', 'ready'), 'published', 'a ready asset publishes the row that the app inserted');
select tests.shows('mine', true, 'the app''s row after its asset is ready');
select is(row(mux_playback_id, mux_asset_id, thumbnail_url, caption, duration)::text,
  '(PB-mine,A-mine,https://image.mux.com/PB-mine/thumbnail.jpg?time=2,"My words",9)',
  'the row of the app gets the asset''s values and keeps its text')
from highlights where id = tests.id('mine');
select is_empty($$select from private.mux_leftovers where id = 'A-mine'$$,
  'the asset of the app''s row is not scheduled for deletion');
select is((select highlights_count from profiles where id = tests.id('ann')), 9, 'the row of the app is counted once');

-- Several videos must all be playable.
select tests.upload('ann', 'one', 'ready');
select tests.upload('ann', 'two', 'created');
select tests.as_user('ann');
select tests.insert_row('ann', 'both', 'PB-one', '{https://stream.mux.com/PB-one.m3u8,https://stream.mux.com/PB-two.m3u8}');
select tests.shows('both', false, 'a highlight with one ready video of two');
select is(tests.event('two', 'ready'), 'published', 'the second asset publishes its own highlight');
select tests.shows('both', true, 'a highlight with two ready videos');

-- Failed and deleted assets are not playable.
select tests.upload('ann', 'broken', 'created');
select tests.event('broken', 'errored');
select tests.upload('ann', 'gone', 'ready');
delete from highlights where id = tests.id('gone');
select tests.as_user('ann');
select tests.insert_row('ann', 'of-broken', 'PB-broken');
select tests.insert_row('ann', 'of-gone', 'PB-gone');
select tests.shows('of-broken', false, 'a highlight with a failed asset');
select tests.shows('of-gone', false, 'a highlight with a deleted asset');

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
select is((select is_ready from highlights where id = tests.id('s-a')), false,
  'a video in the Storage is unknown before the project''s URL is known');
select tests.as_service();
select is(show_playable_highlights('https://ref.supabase.co/'), 1,
  'the sweep shows a highlight whose video is in the Storage');
select is(show_playable_highlights('https://ref.supabase.co'), 0, 'the sweep shows each highlight only once');
select tests.shows('s-a', true, 'a highlight with a video in the Storage');
select tests.as_user('ann');
select tests.insert_row('ann', 's-' || name, tests.url(name, author))
from (values ('a.mp4', 'ann'), ('none.mp4', 'ann'), ('text.mp4', 'ann'), ('empty.mp4', 'ann'), ('face.mp4', 'ann'),
  ('b.mp4', 'bob')) as video (name, author);
select tests.insert_row('ann', 's-host', replace(tests.url('a.mp4'), 'ref', 'evil'));
select tests.as_owner();
select is((select array_agg(video order by video) from unnest(array['s-a.mp4', 's-none.mp4', 's-text.mp4', 's-empty.mp4',
    's-face.mp4', 's-b.mp4', 's-host']) as video join highlights on id = tests.id(video) where is_ready),
  array['s-a.mp4'], 'after the first sweep, only the author''s own videos in the Storage are ready immediately');
select tests.store('none.mp4');
update highlights set created_at = now() - interval '9 days' where id = tests.id('s-none.mp4');
select tests.as_service();
select is(show_playable_highlights('https://ref.supabase.co'), 0,
  'the sweep does not check rows that are older than the upload limit');
select tests.as_owner();
update highlights set created_at = now() - interval '7 days' where id = tests.id('s-none.mp4');
select tests.as_service();
select is(show_playable_highlights('https://ref.supabase.co'), 1,
  'the sweep shows a highlight whose video arrives later');
select tests.as_user('ann');
select throws_ok($$select show_playable_highlights('https://evil.example')$$, '42501', null,
  'a user cannot call the sweep''s function');

select tests.as_owner();
grant select on private.project_urls to authenticated;
select tests.as_user('ann');
select is_empty('select from private.project_urls', 'row-level security hides the project''s URLs');
select tests.as_owner();
revoke select on private.project_urls from authenticated;

-- Zeros mean that there is no metadata.
select tests.as_user('ann');
insert into highlights (id, author_id, mux_playback_id, rally_metadata)
values (tests.id('zeros'), tests.id('ann'), 'P', '{"duration": 0, "confidence": 0.0, "quality": 0, "detection_count": 0}');
select is(row(duration, confidence, quality, detection_count, rally_metadata)::text,
  '(,,,,"{""quality"": 0, ""duration"": 0, ""confidence"": 0.0, ""detection_count"": 0}")',
  'rally metadata of zeros sets no columns')
from highlights where id = tests.id('zeros');
select throws_ok($$insert into highlights (author_id, mux_playback_id, rally_metadata)
  values (tests.id('ann'), 'P', '{"duration": 0, "confidence": 0.5, "quality": 0, "detection_count": 0}')$$, '23514', null,
  'rally metadata with a value but no duration is rejected');
-- The duration of a post is the sum of its clips' durations.
select lives_ok($$insert into highlights (author_id, mux_playback_id, video_urls, rally_metadata)
  values (tests.id('ann'), 'https://a/1', '{https://a/1,https://a/2}',
    '{"duration": 120, "confidence": 1, "quality": 1, "detection_count": 2}')$$,
  'a post of two clips can last two minutes');
select throws_ok($$insert into highlights (author_id, mux_playback_id, video_urls, duration)
  values (tests.id('ann'), 'https://a/1', '{https://a/1,https://a/2}', 121)$$, '23514', null,
  'a post of two clips cannot last longer than two minutes');

select * from finish();
rollback;
