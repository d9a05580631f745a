-- Highlights that aren't public are closed at the video, too. Their assets have signed playback IDs, which need a token for
-- each address, and the public ID is deleted. The Edge Function `playback` signs tokens for callers who may see the highlight.
--
-- The database decides which ID an asset must have, and the sweep makes Mux follow. A row of `playbacks` that differs from
-- its `is_closed` is the queue, so that nothing is lost when a request fails.

-- Off until the project has a signing key. Then the sweep calls `close_videos`. A missing key never opens videos again.
create table private.playback_rules (
  is_only boolean primary key default true check (is_only),
  closes boolean not null default false,
  -- The last asset that `close_videos` has checked; null when it has checked all.
  checked_until text default ''
);
insert into private.playback_rules default values;
alter table private.playback_rules enable row level security;

-- The playback IDs of each asset of a highlight.
create table private.playbacks (
  mux_asset_id text primary key,
  highlight_id uuid not null references public.highlights (id) on delete cascade,
  part smallint not null default 0,
  is_closed boolean not null default false,
  public_id text,
  signed_id text,
  -- Whether clients get the URL of the stream instead of the ID.
  as_url boolean not null default false,
  -- When the sweep last tried to change the IDs at Mux.
  asked_at timestamptz not null default now()
);
create index playbacks_highlight on private.playbacks (highlight_id, part);
create index playbacks_pending on private.playbacks (asked_at)
  where is_closed <> (public_id is null) or is_closed <> (signed_id is not null);
alter table private.playbacks enable row level security;

-- A closed highlight has no playback ID that works without a token. Only the server sets the asset.
alter table public.highlights alter column mux_playback_id drop not null,
  add constraint highlights_video_check check (mux_playback_id is not null or mux_asset_id is not null);

-- `mux_playback_id` is the signed ID as long as there is no public one.
alter table public.uploads add column mux_signed_id text;

insert into private.playbacks (mux_asset_id, highlight_id, part, public_id, as_url)
select u.mux_asset_id, h.id, u.part, u.mux_playback_id, h.mux_playback_id like 'http%'
from public.uploads u
join public.highlights h on h.id = u.highlight_id
where u.mux_playback_id is not null and u.mux_asset_id is not null and (
  h.mux_asset_id = u.mux_asset_id
  or exists (select from private.post_assets p where p.mux_asset_id = u.mux_asset_id and p.highlight_id = h.id));

-- Whether the video of an author's highlight with this level needs a token.
create function private.is_closed(author uuid, level text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (select r.closes from private.playback_rules r) and (
    level <> 'public'
    or exists (select from public.profiles where id = author and privacy_level <> 'public')
    or exists (select from public.account_deletions where user_id = author));
end;
$$;

-- What clients read: null for a closed highlight, and until all its clips have public IDs.
create function private.shown_videos(
  highlight uuid, out playback text, out thumbnail text, out videos text[]
)
language sql stable security definer set search_path = ''
as $$
  select
    case when is_open then case when as_url then streams[1] else ids[1] end end,
    case when is_open then 'https://image.mux.com/' || ids[1] || '/thumbnail.jpg?time=2' end,
    case when is_open and cardinality(ids) > 1 then streams end
  from (
    select bool_and(not p.is_closed and p.public_id is not null) as is_open, bool_or(p.as_url) as as_url,
      array_agg(p.public_id order by p.part) as ids,
      array_agg('https://stream.mux.com/' || p.public_id || '.m3u8' order by p.part) as streams
    from private.playbacks p where p.highlight_id = highlight) clips;
$$;

-- Decides again which highlights are closed, and updates what clients read.
create function private.update_playback(highlights uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.highlights h where h.id = any (highlights) order by h.id for no key update;
  update private.playbacks p set is_closed = private.is_closed(h.author_id, h.privacy_level)
  from public.highlights h
  where h.id = any (highlights) and p.highlight_id = h.id
    and p.is_closed <> private.is_closed(h.author_id, h.privacy_level);
  update public.highlights h
  set (mux_playback_id, thumbnail_url, video_urls) = (select * from private.shown_videos(h.id))
  where h.id = any (highlights) and exists (select from private.playbacks p where p.highlight_id = h.id)
    and h.mux_playback_id is distinct from (select s.playback from private.shown_videos(h.id) s);
end;
$$;

-- In the same statement, so that no client reads the ID of a highlight that was just closed.
create function private.follow_level() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.playbacks p set is_closed = private.is_closed(new.author_id, new.privacy_level)
  where p.highlight_id = new.id;
  if found then
    select * into new.mux_playback_id, new.thumbnail_url, new.video_urls from private.shown_videos(new.id);
  end if;
  return new;
end;
$$;
create trigger follow_level before update of privacy_level on public.highlights
  for each row when (old.privacy_level <> new.privacy_level) execute function private.follow_level();

-- The stricter level of the highlight and its author applies, and a pending deletion hides everything.
create function private.follow_author() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  author uuid := case tg_table_name
    when 'profiles' then to_jsonb(new) ->> 'id' else to_jsonb(coalesce(new, old)) ->> 'user_id' end;
begin
  -- Waits for highlights that are being published.
  perform from public.profiles p where p.id = author for no key update;
  -- The account itself may be deleted.
  if found then
    perform private.update_playback(array(
      select h.id from public.highlights h where h.author_id = author and h.mux_asset_id is not null));
  end if;
  return null;
end;
$$;
create trigger follow_author after update of privacy_level on public.profiles
  for each row when (old.privacy_level <> new.privacy_level) execute function private.follow_author();
create trigger follow_author after insert or delete on public.account_deletions
  for each row execute function private.follow_author();
-- The triggers lock highlights. The first one's name is after `stop_writers`, so that a statement that needs both locks takes
-- the exclusive one first.
create trigger writers_join before update of privacy_level on public.profiles
  for each statement execute function private.join_writers();
create trigger join_writers before insert or delete on public.account_deletions
  for each statement execute function private.join_writers();

-- Uploads

-- Like before, with the policy of the new asset's playback ID.
create or replace function private.upload_ticket(outcome text, upload public.uploads) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'outcome', outcome, 'id', upload.id, 'attempt', upload.attempt, 'mux_upload_id', upload.mux_upload_id,
    'url', (select url from private.upload_urls where upload_id = upload.id),
    'expires_at', floor(extract(epoch from upload.expires_at))::bigint,
    'policy', case when private.is_closed(upload.author_id, upload.privacy_level) then 'signed' else 'public' end);
$$;

-- Like before, but a signed ID isn't one that a client could play.
create or replace function public.upload_state(author uuid, upload_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', u.id, 'highlight_id', u.highlight_id, 'asset_id', u.mux_asset_id,
    'playback_id', nullif(u.mux_playback_id, u.mux_signed_id),
    'status', case when u.status = 'waiting' and u.expires_at <= now() then 'timed_out' else u.status end,
    'error', u.error, 'non_standard_input_reasons', u.non_standard_input_reasons)
  from public.uploads u
  where u.id = upload_state.upload_id and u.author_id = author;
$$;

create or replace function private.is_ready_asset(author uuid, playback text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.uploads u
    where u.author_id = author and u.mux_playback_id is distinct from u.mux_signed_id
      and playback in (u.mux_playback_id, 'https://stream.mux.com/' || u.mux_playback_id || '.m3u8')
      and (u.status = 'asset_created'
        or exists (select from public.highlights h where h.mux_asset_id = u.mux_asset_id)
        or exists (select from private.post_assets p where p.mux_asset_id = u.mux_asset_id)));
$$;

create function private.playback_id(asset jsonb, policy text) returns text
language sql immutable security definer set search_path = ''
as $$
  select playback ->> 'id'
  from jsonb_path_query(asset, 'lax $.playback_ids[*] ? (@.policy == $policy)', jsonb_build_object('policy', policy)) as playback
  limit 1;
$$;

-- Like before, except that the IDs are in `playbacks`, which decide what the row shows.
create or replace function private.publish_clip(upload public.uploads, asset jsonb, playback_as text) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  public_id text := private.playback_id(asset, 'public');
  signed_id text := private.playback_id(asset, 'signed');
  clips public.uploads[];
  lead public.uploads;
  present public.highlights;
begin
  if coalesce(public_id, signed_id) is null then
    perform private.end_post(upload, 'errored', 'the asset has no playback id');
    return 'errored';
  end if;
  -- The account may have prepared the upload before its restriction.
  if private.restricted_until(upload.author_id) is not null then
    perform private.end_post(upload, 'errored', 'the account is restricted');
    return 'errored';
  end if;
  update public.uploads set
    status = 'asset_created', error = null, mux_playback_id = coalesce(public_id, signed_id), mux_signed_id = signed_id
  where id = upload.id;
  select array_agg(u order by u.part) into clips from public.uploads u
  where u.author_id = upload.author_id and u.highlight_id = upload.highlight_id and not u.superseded
    and u.status = 'asset_created' and u.mux_playback_id is not null;
  if cardinality(clips) < upload.part_count then return 'applied'; end if;
  lead := clips[1];
  -- Waits for a change of the author's level.
  perform from public.profiles p where p.id = upload.author_id for no key update;

  insert into public.highlights as h (
    id, author_id, mux_asset_id, caption, tags, duration, confidence, quality, detection_count, privacy_level, hide_likes,
    local_video_id, local_rally_index)
  values (
    lead.highlight_id, lead.author_id, lead.mux_asset_id, lead.caption, lead.tags, lead.duration, lead.confidence,
    lead.quality, lead.detection_count, lead.privacy_level, lead.hide_likes, lead.local_video_id,
    -- Like the app: posts of several rallies have no rally index.
    case when lead.part_count = 1 then lead.local_rally_index end)
  -- The app's description of the clip is kept. The server sets the video.
  on conflict (id) do update set
    mux_playback_id = null, mux_asset_id = excluded.mux_asset_id, thumbnail_url = null, video_urls = null,
    duration = excluded.duration, is_ready = true
  where h.author_id = excluded.author_id and not h.is_ready;
  if found then
    insert into private.post_assets (mux_asset_id, highlight_id)
    select clip.mux_asset_id, clip.highlight_id from unnest(clips) as clip where clip.part > 0;
    insert into private.playbacks (mux_asset_id, highlight_id, part, public_id, signed_id, as_url)
    select clip.mux_asset_id, clip.highlight_id, clip.part, nullif(clip.mux_playback_id, clip.mux_signed_id),
      clip.mux_signed_id, playback_as = 'url'
    from unnest(clips) as clip;
    perform private.update_playback(array[lead.highlight_id]);
  else
    -- The app's row plays another video. A row of another author makes this highlight impossible.
    select * into present from public.highlights where id = upload.highlight_id;
    if present.author_id <> upload.author_id then
      perform private.end_post(upload, 'errored', 'the highlight''s id is taken');
      return 'errored';
    end if;
    insert into private.mux_leftovers (kind, id) select 'asset', clip.mux_asset_id from unnest(clips) as clip
    on conflict do nothing;
  end if;
  update public.uploads set status = 'ready' where id in (select clip.id from unnest(clips) as clip);
  -- Other rows of the author may wait for the same videos.
  perform private.show_playable(upload.author_id);
  return 'published';
end;
$$;

-- For the sweep

-- Called by the sweep of a project with a signing key: from now on, videos are closed. Closes those of older highlights, some
-- per call. Returns the number of assets that it checked.
create function public.close_videos(max_rows integer default 2000) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  rules private.playback_rules;
  assets text[];
begin
  -- Like `stop_writers`, before the first row lock.
  perform pg_advisory_xact_lock(20261122);
  select * into rules from private.playback_rules for update;
  if rules.closes and rules.checked_until is null then return 0; end if;
  update private.playback_rules set closes = true;
  assets := array(
    select p.mux_asset_id from private.playbacks p where p.mux_asset_id > rules.checked_until
    order by p.mux_asset_id limit max_rows);
  perform private.update_playback(array(select p.highlight_id from private.playbacks p where p.mux_asset_id = any (assets)));
  update private.playback_rules
  set checked_until = case when cardinality(assets) = max_rows then assets[max_rows] end;
  return cardinality(assets);
end;
$$;

-- Assets whose playback IDs must change, the longest waiting first.
create function public.playback_changes(max_rows integer default 50) returns table (mux_asset_id text, is_closed boolean)
language sql volatile security definer set search_path = ''
as $$
  update private.playbacks p set asked_at = clock_timestamp()
  where p.mux_asset_id in (
    select o.mux_asset_id from private.playbacks o
    where o.is_closed <> (o.public_id is null) or o.is_closed <> (o.signed_id is not null)
    order by o.asked_at, o.mux_asset_id limit max_rows for update skip locked)
  returning p.mux_asset_id, p.is_closed;
$$;

-- Records the playback IDs that an asset has at Mux. Null means none.
create function public.record_playback(asset text, public_id text, signed_id text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  owner uuid;
begin
  -- Like `join_writers`, before the first row lock.
  perform pg_advisory_xact_lock_shared(20261122);
  select p.highlight_id into owner from private.playbacks p where p.mux_asset_id = asset;
  perform from public.highlights h where h.id = owner for no key update;
  update private.playbacks p set public_id = record_playback.public_id, signed_id = record_playback.signed_id
  where p.mux_asset_id = asset;
  perform private.update_playback(array[owner]);
end;
$$;

-- For callers

-- The playback IDs of highlights that the caller may see, for the Edge Function, which signs the tokens. `playback_id` is null
-- until the sweep has created it. A moderator also sees highlights with a pending report
-- of another person.
create function public.playback_ids(highlight_ids uuid[]) returns table (
  highlight_id uuid, part smallint, is_signed boolean, playback_id text, may_download boolean)
language sql stable security definer set search_path = ''
as $$
  select h.id, p.part, p.is_closed or p.public_id is null,
    case when p.is_closed then p.signed_id else coalesce(p.public_id, p.signed_id) end,
    h.allow_downloads or h.author_id = auth.uid()
  from public.highlights h join private.playbacks p on p.highlight_id = h.id
  where h.id = any (highlight_ids[1:50]) and (
    private.can_see_highlight(h.author_id, h.privacy_level, h.is_ready)
    or exists (select from public.moderators m where m.user_id = auth.uid()) and exists (
      select from public.content_reports r
      where r.reported_type = 'highlight' and r.reported_id = h.id and r.status = 'pending' and r.reporter_id <> auth.uid()))
  order by h.id, p.part;
$$;

revoke all on function
  private.is_closed(uuid, text), private.shown_videos(uuid), private.update_playback(uuid[]), private.follow_level(),
  private.follow_author(), private.playback_id(jsonb, text)
  from public;
revoke all on function
  public.close_videos(integer), public.playback_changes(integer), public.record_playback(text, text, text),
  public.playback_ids(uuid[])
  from public, anon, authenticated, service_role;
grant execute on function
  public.close_videos(integer), public.playback_changes(integer), public.record_playback(text, text, text) to service_role;
grant execute on function public.playback_ids(uuid[]) to authenticated;
