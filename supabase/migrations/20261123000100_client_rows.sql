-- Rows that the app inserts itself: reports with its own reasons, and highlights without the uploads function.

-- Reports

-- The four reasons of the specification and the eight of the app, two of which are the same.
alter table public.content_reports
  drop constraint content_reports_report_type_check,
  add constraint content_reports_report_type_check check (report_type in (
    'inappropriate', 'spam', 'not_sports', 'harassment', 'inappropriate_content', 'impersonation', 'violence',
    'hate_speech', 'self_harm', 'other')),
  -- The app doesn't send it.
  alter column reporter_id set default auth.uid(),
  -- The app can't decode a report without it.
  add column updated_at timestamptz not null default now();
update public.content_reports set updated_at = coalesce(reviewed_at, created_at);

create function private.set_updated_at() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end;
$$;

create trigger set_updated_at before update on public.content_reports
  for each row execute function private.set_updated_at();

-- Highlights

-- The duration of a post is the sum of its clips' durations.
alter table public.highlights
  drop constraint highlights_duration_check,
  add constraint highlights_duration_check check (
    duration between 3 - 1e-6 and 60 * greatest(coalesce(cardinality(video_urls), 1), 1) + 1e-6);

-- Like before, but zeros in all four fields mean that the app has no metadata, so the columns stay null.
create or replace function private.complete_rally_facts() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if new.rally_metadata is null then
    new.rally_metadata := jsonb_build_object(
      'duration', new.duration, 'confidence', coalesce(new.confidence, 0), 'quality', coalesce(new.quality, 0),
      'detection_count', coalesce(new.detection_count, 0));
  elsif private.is_rally_metadata(new.rally_metadata) and exists (
    select from jsonb_each_text(new.rally_metadata) as fact
    where fact.key in ('duration', 'confidence', 'quality', 'detection_count') and fact.value::double precision <> 0)
  then
    new.duration := coalesce(new.duration, (new.rally_metadata ->> 'duration')::double precision);
    new.confidence := coalesce(new.confidence, (new.rally_metadata ->> 'confidence')::double precision);
    new.quality := coalesce(new.quality, (new.rally_metadata ->> 'quality')::double precision);
    new.detection_count := coalesce(new.detection_count, (new.rally_metadata ->> 'detection_count')::integer);
  end if;
  return new;
end;
$$;

-- Whether the server has seen that the video can be played. Until then only the author sees the row. Rows inserted by the
-- server are ready. No client may write the column.
alter table public.highlights add column is_ready boolean not null default true;
alter table public.highlights alter column is_ready set default (current_user not in ('anon', 'authenticated'));
create index highlights_waiting on public.highlights (author_id) where not is_ready;

-- The base URLs of the project's Storage. The sweep writes them.
create table private.project_urls (
  url text primary key
);
alter table private.project_urls enable row level security;

-- Whether the URL is that of a video in the author's folder of the Storage, where the app uploads.
create function private.is_stored(author uuid, url text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  path text := (
    select substr(is_stored.url, length(project.prefix) + 1)
    from (select p.url || '/storage/v1/object/public/videos/' as prefix from private.project_urls p) project
    where starts_with(is_stored.url, project.prefix || author || '/')
    limit 1);
begin
  if path is null then return false; end if;
  return exists (
    select from storage.objects o
    where o.bucket_id = 'videos' and o.name = path
      and o.metadata ->> 'mimetype' like 'video/%' and (o.metadata ->> 'size')::bigint > 0);
end;
$$;

-- Whether the text is the playback ID or the stream URL of an asset of the author that is ready and not deleted.
create function private.is_ready_asset(author uuid, playback text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.uploads u
    where u.author_id = author
      and playback in (u.mux_playback_id, 'https://stream.mux.com/' || u.mux_playback_id || '.m3u8')
      and (u.status = 'asset_created'
        or exists (select from public.highlights h where h.mux_asset_id = u.mux_asset_id)
        or exists (select from private.post_assets p where p.mux_asset_id = u.mux_asset_id)));
$$;

-- Whether the server has seen all videos of a row.
create function private.is_playable(author uuid, playback text, video_urls text[]) returns boolean
language sql stable security definer set search_path = ''
as $$
  select bool_and(private.is_ready_asset(author, video) or private.is_stored(author, video))
  from unnest(playback || coalesce(video_urls, '{}')) as video;
$$;

create function private.check_readiness() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.is_ready := private.is_playable(new.author_id, new.mux_playback_id, new.video_urls);
  return new;
end;
$$;

create trigger check_readiness before insert on public.highlights
  for each row when (not new.is_ready) execute function private.check_readiness();

-- Shows the waiting rows of one author, or of all, whose videos can be played now.
create function private.show_playable(author uuid default null) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  shown integer;
begin
  update public.highlights set is_ready = true
  where id in (
    select h.id from public.highlights h
    where not h.is_ready and (author is null or h.author_id = author)
      -- Uploads arrive within the seven days of their URL, or never.
      and h.created_at > now() - interval '8 days'
      and private.is_playable(h.author_id, h.mux_playback_id, h.video_urls)
    order by h.id for update skip locked);
  get diagnostics shown = row_count;
  return shown;
end;
$$;

-- For the sweep, which knows the project's URL. Videos in the Storage send no webhook.
create function public.show_playable_highlights(project_url text) returns integer
language plpgsql security definer set search_path = ''
as $$
begin
  -- Like `join_writers`, before the first row lock.
  perform pg_advisory_xact_lock_shared(20261122);
  insert into private.project_urls (url) values (rtrim(project_url, '/')) on conflict do nothing;
  return private.show_playable();
end;
$$;

-- Like in `001000_mux_events`, except that a waiting row of the app with the same ID gets the video.
create or replace function private.publish(upload public.uploads, asset jsonb, playback_as text) returns text
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

  insert into public.highlights as h (
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
  -- The app's description of the clip is kept. The server sets the video.
  on conflict (id) do update set
    mux_playback_id = excluded.mux_playback_id, mux_asset_id = excluded.mux_asset_id,
    thumbnail_url = excluded.thumbnail_url, video_urls = excluded.video_urls, duration = excluded.duration,
    is_ready = true
  where h.author_id = excluded.author_id and not h.is_ready;
  if found then
    insert into private.post_assets (mux_asset_id, highlight_id)
    select clip.mux_asset_id, clip.highlight_id from unnest(clips) as clip where clip.part > 0;
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

-- Visibility of rows

create function private.can_see_highlight(author uuid, level text, is_ready boolean) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  viewer uuid := auth.uid();
begin
  return author = viewer or (
    is_ready
    and level <> 'private'
    and private.can_see_profile(author)
    and (
      level = 'public' and exists (select from public.profiles where id = author and privacy_level = 'public')
      or exists (select from public.follows where follower_id = viewer and following_id = author)));
end;
$$;

alter policy highlights_select on public.highlights
  using (private.can_see_highlight(author_id, privacy_level, is_ready));

create or replace function public.highlights_with_tag(
  tag text, max_rows integer default 20, before timestamptz default null
) returns setof public.highlights
language sql stable security definer set search_path = ''
as $$
  select h.*
  from (
    select * from public.highlights
    where tags @> array[lower(tag)] and (before is null or created_at < before)
    order by created_at desc, id desc offset 0) h
  where private.can_see_highlight(h.author_id, h.privacy_level, h.is_ready) and not private.is_muted(h.author_id)
  limit least(max_rows, 100);
$$;

create or replace function public.discover_highlights(max_rows integer default 20, skip_rows integer default 0)
returns setof public.highlights
language sql stable security definer set search_path = ''
as $$
  select h.*
  from (
    select * from public.highlights
    where privacy_level = 'public' and created_at > now() - interval '30 days'
    order by
      (likes_count + 2 * comments_count + 1)
        / power(extract(epoch from now() - created_at)::double precision / 3600 + 2, 1.5) desc, id
    offset 0) h
  where private.can_see_highlight(h.author_id, h.privacy_level, h.is_ready) and not private.is_muted(h.author_id)
  limit least(max_rows, 100) offset skip_rows;
$$;

drop function private.can_see_highlight(uuid, text);

revoke all on function
  private.set_updated_at(), private.is_stored(uuid, text), private.is_ready_asset(uuid, text),
  private.is_playable(uuid, text, text[]), private.check_readiness(), private.show_playable(uuid),
  private.can_see_highlight(uuid, text, boolean)
  from public;
grant execute on function private.can_see_highlight(uuid, text, boolean) to anon, authenticated, service_role;
revoke all on function public.show_playable_highlights(text) from public, anon, authenticated, service_role;
grant execute on function public.show_playable_highlights(text) to service_role;
