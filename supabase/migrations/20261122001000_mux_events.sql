-- Applies Mux's webhook events, which may be repeated, arrive in any order, or belong to abandoned uploads.

create table private.mux_events (
  id text primary key,
  type text not null,
  received_at timestamptz not null default now()
);
create index mux_events_received on private.mux_events (received_at);
alter table private.mux_events enable row level security;

-- Inserts the highlight of an upload whose asset is ready; for a post, with the last of its clips. The caller holds
-- `lock_post`.
create function private.publish(upload public.uploads, asset jsonb, playback_as text) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  playback_id text := (
    select playback ->> 'id' from jsonb_path_query(asset, 'lax $.playback_ids[*] ? (@.policy == "public")') as playback
    limit 1);
  clips public.uploads[];
  lead public.uploads;
  present public.highlights;
begin
  if playback_id is null then
    perform private.end_post(upload, 'errored', 'the asset has no public playback id');
    return 'errored';
  end if;
  update public.uploads set status = 'asset_created', error = null, mux_playback_id = playback_id where id = upload.id;
  select array_agg(u order by u.part) into clips from public.uploads u
  where u.author_id = upload.author_id and u.highlight_id = upload.highlight_id and not u.superseded
    and u.status = 'asset_created' and u.mux_playback_id is not null;
  if cardinality(clips) < upload.part_count then return 'applied'; end if;
  lead := clips[1];

  insert into public.highlights (
    id, author_id, mux_playback_id, mux_asset_id, thumbnail_url, caption, tags, duration, confidence, quality,
    detection_count, privacy_level, hide_likes, local_video_id, local_rally_index, video_urls)
  values (
    lead.highlight_id, lead.author_id,
    case playback_as
      when 'url' then 'https://stream.mux.com/' || lead.mux_playback_id || '.m3u8' else lead.mux_playback_id
    end,
    lead.mux_asset_id, 'https://image.mux.com/' || lead.mux_playback_id || '/thumbnail.jpg?time=2', lead.caption,
    lead.tags, lead.duration, lead.confidence, lead.quality, lead.detection_count, lead.privacy_level, lead.hide_likes,
    lead.local_video_id,
    -- Like the app: posts of several rallies have no rally index, and all videos are URLs.
    case when lead.part_count = 1 then lead.local_rally_index end,
    case when lead.part_count > 1 then array(
      select 'https://stream.mux.com/' || clip.mux_playback_id || '.m3u8' from unnest(clips) as clip order by clip.part)
    end)
  on conflict (id) do nothing;
  if found then
    insert into private.post_assets (mux_asset_id, highlight_id)
    select clip.mux_asset_id, clip.highlight_id from unnest(clips) as clip where clip.part > 0;
  else
    -- The app may have inserted the row itself. A row of another author makes this highlight impossible.
    select * into present from public.highlights where id = upload.highlight_id;
    if present.author_id <> upload.author_id then
      perform private.end_post(upload, 'errored', 'the highlight''s id is taken');
      return 'errored';
    end if;
    insert into private.mux_leftovers (kind, id) select 'asset', clip.mux_asset_id from unnest(clips) as clip
    on conflict do nothing;
  end if;
  update public.uploads set status = 'ready' where id in (select clip.id from unnest(clips) as clip);
  return 'published';
end;
$$;

-- Applies one event: its ID, its type, its `data`. `playback_as` determines the content of the highlight's
-- `mux_playback_id`: the bare `id`, or the `url` of the stream.
-- Returns `published`, `applied`, `errored`, `ignored` (nothing to change), `duplicate` (the ID is known), `unknown_upload`.
create function public.apply_mux_event(
  event_id text, event_type text, data jsonb, playback_as text default 'id'
) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  is_asset boolean := event_type like 'video.asset.%';
  of_upload text := case when is_asset then data ->> 'upload_id' else data ->> 'id' end;
  asset_id text := case when is_asset then data ->> 'id' else data ->> 'asset_id' end;
  passthrough text := case when is_asset then data ->> 'passthrough' else data #>> '{new_asset_settings,passthrough}' end;
  target uuid;
  upload public.uploads;
begin
  if playback_as not in ('id', 'url') then
    raise check_violation using message = 'playback_as must be id or url';
  end if;
  -- Like `join_writers`, before the first row lock.
  perform pg_advisory_xact_lock_shared(20261122);
  -- A repeated delivery waits for the first one, and continues only if that failed.
  insert into private.mux_events (id, type) values (event_id, event_type) on conflict do nothing;
  if not found then return 'duplicate'; end if;
  if event_type not in (
    'video.upload.asset_created', 'video.upload.cancelled', 'video.upload.errored', 'video.asset.created',
    'video.asset.ready', 'video.asset.errored', 'video.asset.non_standard_input_detected')
  then
    return 'ignored';
  end if;

  select u.id into target from public.uploads u
  where u.mux_upload_id = of_upload or u.id::text = lower(passthrough) or u.mux_asset_id = asset_id
  order by u.mux_upload_id = of_upload desc nulls last
  limit 1;
  if target is null then
    -- An upload whose author was deleted may still have become an asset.
    if asset_id is not null and exists (
      select from private.mux_leftovers where kind = 'upload' and id = of_upload)
    then
      insert into private.mux_leftovers values ('asset', asset_id) on conflict do nothing;
    end if;
    return 'unknown_upload';
  end if;
  perform private.lock_post(u.author_id, u.highlight_id) from public.uploads u where u.id = target;
  select * into upload from public.uploads u where u.id = target;
  if not found then return 'unknown_upload'; end if;
  -- The event belongs to a Mux upload that lost in `record_mux_upload`.
  if upload.mux_upload_id <> of_upload or upload.mux_asset_id <> asset_id then
    if asset_id is distinct from upload.mux_asset_id and asset_id is not null then
      insert into private.mux_leftovers values ('asset', asset_id) on conflict do nothing;
    end if;
    return 'ignored';
  end if;

  update public.uploads u set
    mux_upload_id = coalesce(u.mux_upload_id, of_upload),
    mux_asset_id = coalesce(u.mux_asset_id, asset_id),
    non_standard_input_reasons = coalesce(data -> 'non_standard_input_reasons', u.non_standard_input_reasons)
  where u.id = target
  returning * into upload;

  -- Mux's state has precedence over our clock: an upload that we timed out may still arrive, unless it was superseded.
  if upload.superseded or upload.status not in ('waiting', 'asset_created', 'timed_out') then return 'ignored'; end if;
  -- The clip can be watched, and waits for the other clips of its post.
  if upload.mux_playback_id is not null and event_type <> 'video.asset.ready' then return 'ignored'; end if;
  case event_type
    when 'video.asset.ready' then
      return private.publish(upload, data, playback_as);
    when 'video.upload.asset_created', 'video.asset.created' then
      update public.uploads u set status = 'asset_created' where u.id = target and u.status <> 'asset_created';
    when 'video.upload.cancelled' then
      if upload.status = 'asset_created' then return 'ignored'; end if;
      perform private.end_post(upload, 'cancelled', null);
    when 'video.upload.errored' then
      perform private.end_post(
        upload, 'errored', coalesce(data #>> '{error,message}', data #>> '{error,type}', 'no reason given'));
      return 'errored';
    when 'video.asset.errored' then
      perform private.end_post(upload, 'errored', coalesce(
        (select string_agg(message #>> '{}', '; ') from jsonb_path_query(data, 'lax $.errors.messages[*]') as message),
        data #>> '{errors,type}', 'no reason given'));
      return 'errored';
    else
      -- non_standard_input_detected was recorded above.
      null;
  end case;
  return 'applied';
end;
$$;

-- For the sweep: unfinished uploads without changes for ten minutes, the oldest first, and uploads that have expired since
-- the last check, because their data may have arrived in the last moment. The sweep asks Mux about each one and applies the
-- answer as an event. A checked upload is returned again after ten more minutes. Clips that can be watched and wait for
-- others need no check.
create function public.uploads_to_check(max_rows integer default 50) returns setof public.uploads
language sql volatile security definer set search_path = ''
as $$
  update public.uploads set checked_at = now()
  where id in (
    select id from public.uploads
    where status in ('waiting', 'asset_created') and mux_upload_id is not null and mux_playback_id is null
      and (checked_at < now() - interval '10 minutes'
        or status = 'waiting' and expires_at <= now() and checked_at < expires_at)
    order by checked_at limit max_rows for update skip locked)
  returning *;
$$;

-- No upload times out before Mux was asked after its expiry. Clips wait for the others of their post while these can still
-- arrive: a URL is valid for seven days, and Mux gets one more day.
create function public.time_out_uploads() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  ended integer;
  given_up integer;
begin
  -- Skips locked uploads. The next sweep processes them.
  update public.uploads set status = 'timed_out'
  where id in (
    select id from public.uploads
    where status = 'waiting' and expires_at <= now() and (mux_upload_id is null or checked_at >= expires_at)
    for update skip locked);
  get diagnostics ended = row_count;
  update public.uploads set status = 'cancelled', error = 'the other clips of the post did not come'
  where id in (
    select u.id from public.uploads u
    where u.status = 'asset_created' and u.mux_playback_id is not null and not exists (
      select from public.uploads other
      where other.author_id = u.author_id and other.highlight_id = u.highlight_id and not other.superseded
        and other.created_at > now() - interval '8 days')
    for update skip locked);
  get diagnostics given_up = row_count;
  -- Mux repeats an event for a day.
  delete from private.mux_events where received_at < now() - interval '7 days';
  delete from private.shares where created_at < now() - interval '1 day';
  return ended + given_up;
end;
$$;

create function public.mux_leftovers(max_rows integer default 50) returns table (kind text, id text)
language sql volatile security definer set search_path = ''
as $$
  update private.mux_leftovers l set asked_at = clock_timestamp()
  where (l.kind, l.id) in (
    select o.kind, o.id from private.mux_leftovers o order by o.asked_at, o.kind, o.id limit max_rows
    for update skip locked)
  returning l.kind, l.id;
$$;

-- Called after an object was cancelled or deleted at Mux, or was already missing there.
create function public.forget_mux_leftover(kind text, id text) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.mux_leftovers l where l.kind = forget_mux_leftover.kind and l.id = forget_mux_leftover.id;
$$;

revoke all on function private.publish(public.uploads, jsonb, text) from public;
revoke all on function
  public.apply_mux_event(text, text, jsonb, text), public.uploads_to_check(integer), public.time_out_uploads(),
  public.mux_leftovers(integer), public.forget_mux_leftover(text, text)
  from public, anon, authenticated, service_role;
grant execute on function
  public.apply_mux_event(text, text, jsonb, text), public.uploads_to_check(integer), public.time_out_uploads(),
  public.mux_leftovers(integer), public.forget_mux_leftover(text, text)
  to service_role;
