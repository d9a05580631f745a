-- An upload stores the complete draft of a highlight from `POST /uploads` until the webhook inserts the row. Only the Edge
-- Functions write here, through the functions below and with the service role.

create table public.uploads (
  -- Sent to Mux as `passthrough`, which every event contains.
  id uuid primary key default gen_random_uuid(),
  author_id uuid not null references public.profiles (id) on delete cascade,
  idempotency_key text not null check (octet_length(idempotency_key) between 1 and 255),
  -- Not a foreign key: the highlight doesn't exist until the asset is ready.
  highlight_id uuid not null,
  -- The zero-based index of the clip in a post of several. The first clip provides the highlight's text and metadata.
  part smallint not null default 0 check (part >= 0),
  part_count smallint not null default 1 check (part_count between 1 and 10),
  caption text check (private.fits(caption, 2200)),
  tags text[] not null default '{}' check (private.is_text_list(tags, 734, 2200)),
  privacy_level text not null default 'public' check (privacy_level in ('public', 'followers_only', 'private')),
  hide_likes boolean not null default false,
  duration double precision not null check (duration between 3 - 1e-6 and 60 + 1e-6),
  confidence double precision check (confidence between -1e-9 and 1 + 1e-9),
  quality double precision check (quality between -1e-9 and 1 + 1e-9),
  detection_count integer check (detection_count >= 0),
  local_video_id uuid,
  local_rally_index integer check (local_rally_index >= 0),
  -- Mux's status of an upload, and `ready` once the highlight exists. A clip of a post can be watched earlier: it is
  -- `asset_created`, has its `mux_playback_id`, and waits for the others.
  status text not null default 'waiting'
    check (status in ('waiting', 'asset_created', 'ready', 'errored', 'cancelled', 'timed_out')),
  error text,
  -- 1 for the first upload of a clip. A newer attempt supersedes the older ones, which create nothing.
  attempt integer not null check (attempt > 0),
  superseded boolean not null default false,
  mux_upload_id text unique,
  mux_asset_id text unique,
  mux_playback_id text,
  non_standard_input_reasons jsonb,
  -- When the URL expires.
  expires_at timestamptz not null,
  -- When Mux was last asked about the upload, in case its events were lost.
  checked_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  check (part < part_count)
);
create unique index uploads_current on public.uploads (author_id, highlight_id, part) where not superseded;
create unique index uploads_key on public.uploads (author_id, idempotency_key)
  where status = 'waiting' and not superseded;
create index uploads_author on public.uploads (author_id, created_at desc);
create index uploads_unfinished on public.uploads (checked_at) where status in ('waiting', 'asset_created');

-- The URL lets anyone upload in the author's name, so it is stored where requests can't reach it, and deleted when the
-- upload ends.
create table private.upload_urls (
  upload_id uuid primary key references public.uploads (id) on delete cascade,
  url text not null
);

-- The assets of a post except the first, which the highlight itself references. Deleted with the highlight.
create table private.post_assets (
  mux_asset_id text primary key,
  highlight_id uuid not null references public.highlights (id) on delete cascade
);
create index post_assets_highlight on private.post_assets (highlight_id);

-- Objects at Mux that are no longer needed: uploads to cancel and assets to delete. The sweep removes them.
create table private.mux_leftovers (
  kind text not null check (kind in ('upload', 'asset')),
  id text not null,
  -- When the sweep last tried. Objects that Mux doesn't delete move to the end.
  asked_at timestamptz not null default now(),
  primary key (kind, id)
);

alter table public.uploads enable row level security;
alter table private.upload_urls enable row level security;
alter table private.post_assets enable row level security;
alter table private.mux_leftovers enable row level security;
revoke all on public.uploads from anon, authenticated;
grant select on public.uploads to authenticated;

create function private.end_upload() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    if old.status = 'waiting' and old.mux_upload_id is not null then
      insert into private.mux_leftovers values ('upload', old.mux_upload_id) on conflict do nothing;
    elsif old.status = 'asset_created' and old.mux_asset_id is not null then
      insert into private.mux_leftovers values ('asset', old.mux_asset_id) on conflict do nothing;
    end if;
    return null;
  end if;
  delete from private.upload_urls where upload_id = new.id;
  if new.status = 'cancelled' and old.status = 'waiting' and new.mux_upload_id is not null then
    insert into private.mux_leftovers values ('upload', new.mux_upload_id) on conflict do nothing;
  end if;
  if new.status in ('cancelled', 'errored') and new.mux_asset_id is not null then
    insert into private.mux_leftovers values ('asset', new.mux_asset_id) on conflict do nothing;
  end if;
  return null;
end;
$$;

create trigger end_upload after update of status, mux_asset_id on public.uploads
  for each row when (new.status <> 'waiting') execute function private.end_upload();
create trigger forget_upload after delete on public.uploads
  for each row execute function private.end_upload();

create function private.leave_asset() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.mux_leftovers values ('asset', old.mux_asset_id) on conflict do nothing;
  return null;
end;
$$;

create trigger leave_asset after delete on public.highlights
  for each row when (old.mux_asset_id is not null) execute function private.leave_asset();
create trigger leave_asset after delete on private.post_assets
  for each row execute function private.leave_asset();

-- Locks all uploads of a post, always in the same order, so that events about two of its clips run one after the other.
-- The second one sees the changes of the first.
create function private.lock_post(author uuid, highlight uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.uploads u where u.author_id = author and u.highlight_id = highlight order by u.id for update;
end;
$$;

-- Ends an upload without a highlight, and with it the other clips of its post: a post is published completely or not at
-- all. The caller holds `lock_post`.
create function private.end_post(upload public.uploads, status text, error text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update public.uploads u set status = end_post.status, error = end_post.error where u.id = upload.id;
  with ended as (
    update public.uploads u set
      status = end_post.status,
      error = case end_post.status
        when 'cancelled' then 'another clip of the post was cancelled'
        else 'another clip of the post failed: ' || end_post.error
      end
    where u.author_id = upload.author_id and u.highlight_id = upload.highlight_id and u.id <> upload.id
      and not u.superseded and u.status in ('waiting', 'asset_created', 'timed_out')
    returning u.mux_upload_id, u.mux_asset_id)
  insert into private.mux_leftovers (kind, id)
  select 'upload', ended.mux_upload_id from ended
  where ended.mux_upload_id is not null and ended.mux_asset_id is null
  on conflict do nothing;
end;
$$;

-- The response to `POST /uploads`, with additional values for the Edge Function.
create function private.upload_ticket(outcome text, upload public.uploads) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'outcome', outcome, 'id', upload.id, 'attempt', upload.attempt, 'mux_upload_id', upload.mux_upload_id,
    'url', (select url from private.upload_urls where upload_id = upload.id),
    'expires_at', floor(extract(epoch from upload.expires_at))::bigint);
$$;

-- Stores a draft (the JSON of `HighlightDraft`). The outcome is
-- - `created`: create a Mux upload with the ID as passthrough, then call `record_mux_upload`;
-- - `repeated`: the same key again while its upload waits. Without `url`, the first request hasn't recorded a Mux upload:
--   create it, as above;
-- - `different_draft`, `different_post` (its other clips have another number of clips), `highlight_exists`,
--   `highlight_taken` (by another author): a 409, without ID.
-- A draft that violates a constraint raises 23514, 23502 or 22P02.
create function public.create_upload(
  author uuid, idempotency_key text, draft jsonb, timeout_seconds integer default 3600
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  wanted public.uploads := jsonb_populate_record(null::public.uploads, draft);
  known public.uploads;
  owner uuid;
begin
  if timeout_seconds not between 60 and 604800 then
    raise check_violation using message = 'timeout must be 60 to 604800 s';
  end if;
  -- Like `join_writers`, before the first row lock.
  perform pg_advisory_xact_lock_shared(20261122);
  -- Serializes requests with the same key or for the same highlight.
  perform pg_advisory_xact_lock(hashtextextended(author || create_upload.idempotency_key, 1));
  perform pg_advisory_xact_lock(hashtextextended(wanted.highlight_id::text, 2));
  -- Waits for an event that is currently inserting the highlight of an older attempt.
  perform private.lock_post(author, wanted.highlight_id);
  wanted.part := coalesce(wanted.part, 0);
  wanted.part_count := coalesce(wanted.part_count, 1);

  select author_id into owner from public.highlights where id = wanted.highlight_id;
  if found then
    return jsonb_build_object(
      'outcome', case when owner = author then 'highlight_exists' else 'highlight_taken' end);
  end if;

  update public.uploads u set status = 'timed_out'
  where u.author_id = author and u.idempotency_key = create_upload.idempotency_key
    and u.status = 'waiting' and u.expires_at <= now();
  select * into known from public.uploads u
  where u.author_id = author and u.idempotency_key = create_upload.idempotency_key
    and u.status = 'waiting' and not u.superseded;
  if found then
    if row(known.highlight_id, known.part, known.part_count, known.caption, known.tags, known.privacy_level, known.hide_likes, known.duration,
        known.confidence, known.quality, known.detection_count, known.local_video_id, known.local_rally_index)
      is not distinct from
      row(wanted.highlight_id, wanted.part, wanted.part_count, wanted.caption, coalesce(wanted.tags, '{}'), coalesce(wanted.privacy_level, 'public'),
        coalesce(wanted.hide_likes, false), wanted.duration, wanted.confidence, wanted.quality,
        wanted.detection_count, wanted.local_video_id, wanted.local_rally_index)
    then
      return private.upload_ticket('repeated', known);
    end if;
    return jsonb_build_object('outcome', 'different_draft');
  end if;
  -- Uploads that have ended are ignored.
  perform from public.uploads u
  where u.author_id = author and u.highlight_id = wanted.highlight_id and u.part_count <> wanted.part_count
    and (u.status = 'waiting' and u.expires_at > now() or u.status = 'asset_created');
  if found then return jsonb_build_object('outcome', 'different_post'); end if;

  update public.uploads u set
    superseded = true,
    status = case when u.status in ('waiting', 'asset_created') then 'cancelled' else u.status end,
    error = case
      when u.status in ('waiting', 'asset_created') then 'a newer upload of this highlight took its place'
      else u.error
    end
  where u.author_id = author and u.highlight_id = wanted.highlight_id and not u.superseded
    and (u.part = wanted.part or u.part_count <> wanted.part_count);

  insert into public.uploads (
    author_id, idempotency_key, highlight_id, part, part_count, caption, tags, privacy_level, hide_likes, duration, confidence, quality,
    detection_count, local_video_id, local_rally_index, attempt, expires_at)
  values (
    author, create_upload.idempotency_key, wanted.highlight_id, wanted.part, wanted.part_count, wanted.caption,
    coalesce(wanted.tags, '{}'), coalesce(wanted.privacy_level, 'public'), coalesce(wanted.hide_likes, false),
    wanted.duration, wanted.confidence, wanted.quality, wanted.detection_count, wanted.local_video_id,
    wanted.local_rally_index,
    (select count(*) + 1 from public.uploads u
      where u.author_id = author and u.highlight_id = wanted.highlight_id and u.part = wanted.part),
    now() + make_interval(secs => timeout_seconds))
  returning * into known;
  return private.upload_ticket('created', known);
end;
$$;

-- Records Mux's response. If two requests created a Mux upload for the same upload, the first one wins, and both get its
-- URL: outcome `recorded`, `known`, or `not_waiting` (cancelled or superseded in the meantime). The sweep cancels the other
-- Mux upload, whose URL was never returned. Null for an unknown ID.
create function public.record_mux_upload(
  upload_id uuid, mux_upload_id text, url text, expires_at timestamptz
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  upload public.uploads;
begin
  select * into upload from public.uploads u where u.id = record_mux_upload.upload_id for update;
  if not found then
    insert into private.mux_leftovers values ('upload', record_mux_upload.mux_upload_id) on conflict do nothing;
    return null;
  end if;
  if upload.status = 'waiting' and upload.mux_upload_id is null then
    update public.uploads u
    set mux_upload_id = record_mux_upload.mux_upload_id, expires_at = record_mux_upload.expires_at
    where u.id = upload.id
    returning * into upload;
    insert into private.upload_urls values (upload.id, record_mux_upload.url);
    return private.upload_ticket('recorded', upload);
  end if;
  if upload.mux_upload_id is distinct from record_mux_upload.mux_upload_id then
    insert into private.mux_leftovers values ('upload', record_mux_upload.mux_upload_id) on conflict do nothing;
  end if;
  return private.upload_ticket(case upload.status when 'waiting' then 'known' else 'not_waiting' end, upload);
end;
$$;

-- The response to `GET /uploads/{id}`. Reports an expired URL as timed out, even if the row doesn't say so yet. Null if the
-- author has no such upload.
create function public.upload_state(author uuid, upload_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', u.id, 'highlight_id', u.highlight_id, 'asset_id', u.mux_asset_id, 'playback_id', u.mux_playback_id,
    'status', case when u.status = 'waiting' and u.expires_at <= now() then 'timed_out' else u.status end,
    'error', u.error, 'non_standard_input_reasons', u.non_standard_input_reasons)
  from public.uploads u
  where u.id = upload_state.upload_id and u.author_id = author;
$$;

-- `cancelled`, `not_waiting`, or null if the author has no such upload. Cancelling a clip of a post cancels the whole post,
-- unless it is already published.
create function public.cancel_upload(author uuid, upload_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  upload public.uploads;
begin
  -- Like `join_writers`, before the first row lock.
  perform pg_advisory_xact_lock_shared(20261122);
  perform private.lock_post(author, (select u.highlight_id from public.uploads u where u.id = cancel_upload.upload_id));
  select * into upload from public.uploads u where u.id = cancel_upload.upload_id and u.author_id = author;
  if not found then return null; end if;
  if upload.status = 'waiting' and upload.expires_at > now()
    or upload.status = 'asset_created' and upload.part_count > 1
  then
    perform private.end_post(upload, 'cancelled', null);
    return 'cancelled';
  end if;
  return 'not_waiting';
end;
$$;

-- The caller's sharing limit. Unfinished uploads count too, and a post of several clips counts once.
create function public.share_allowance() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'max_count', rule.max_count, 'window_seconds', rule.window_seconds, 'used', past.used, 'pending', coming.pending,
    'remaining', greatest(rule.max_count - past.used - coming.pending, 0),
    -- When the oldest share leaves the window; null if nothing was shared.
    'next_at', past.oldest + make_interval(secs => rule.window_seconds))
  from public.rate_limits rule
  cross join lateral (
    select count(*)::integer as used, min(created_at) as oldest from private.shares
    where author_id = auth.uid() and created_at > now() - make_interval(secs => rule.window_seconds)) past
  cross join lateral (
    select count(distinct highlight_id)::integer as pending from public.uploads
    where author_id = auth.uid() and (status = 'waiting' and expires_at > now() or status = 'asset_created')) coming
  where rule.name = 'shared_rallies';
$$;

revoke all on function
  private.end_upload(), private.leave_asset(), private.upload_ticket(text, public.uploads),
  private.lock_post(uuid, uuid), private.end_post(public.uploads, text, text)
  from public;
revoke all on function
  public.create_upload(uuid, text, jsonb, integer), public.record_mux_upload(uuid, text, text, timestamptz),
  public.upload_state(uuid, uuid), public.cancel_upload(uuid, uuid), public.share_allowance()
  from public, anon, authenticated, service_role;
grant execute on function
  public.create_upload(uuid, text, jsonb, integer), public.record_mux_upload(uuid, text, text, timestamptz),
  public.upload_state(uuid, uuid), public.cancel_upload(uuid, uuid)
  to service_role;
grant execute on function public.share_allowance() to authenticated;
