-- Shared rallies.

create table public.highlights (
  -- Set by bsc before the upload, so that a highlight is registered only once. The app uses the default.
  id uuid primary key default gen_random_uuid(),
  author_id uuid not null references public.profiles (id) on delete cascade,
  -- A playback ID, or the URL of a stream, which is all that the app's current build plays.
  mux_playback_id text not null
    check (mux_playback_id ~ '^(https?://.+|[A-Za-z0-9_-]+)$' and char_length(mux_playback_id) <= 2048),
  -- Null for rows inserted by the app. Deleting the highlight deletes this asset, so clients must not set it.
  mux_asset_id text unique check (char_length(mux_asset_id) between 1 and 255),
  thumbnail_url text check (thumbnail_url ~ '^https?://' and char_length(thumbnail_url) <= 2048),
  caption text check (private.fits(caption, 2200)),
  -- A full caption can't contain more tags (`#a` and a space each).
  tags text[] not null default '{}' check (private.is_text_list(tags, 734, 2200)),
  -- Seconds. The tolerance of a millionth is shorter than any frame, and more than the rounding error of decimals.
  duration double precision check (duration between 3 - 1e-6 and 60 + 1e-6),
  confidence double precision check (confidence between -1e-9 and 1 + 1e-9),
  quality double precision check (quality between -1e-9 and 1 + 1e-9),
  detection_count integer check (detection_count >= 0),
  likes_count integer not null default 0 check (likes_count >= 0),
  comments_count integer not null default 0 check (comments_count >= 0),
  privacy_level text not null default 'public' check (privacy_level in ('public', 'followers_only', 'private')),
  -- Only the author may see who liked it. The app hides the number.
  hide_likes boolean not null default false,
  -- All videos of a post of several rallies. `mux_playback_id` is the first.
  video_urls text[] check (private.is_text_list(video_urls, 50, 2048) and cardinality(video_urls) > 0),
  local_video_id uuid,
  -- Zero-based index in the original video's `rallySegments`.
  local_rally_index integer check (local_rally_index >= 0),
  -- The app reads this object instead of the four columns above.
  rally_metadata jsonb not null check (private.is_rally_metadata(rally_metadata)),
  -- A location tag that the user chose in the app. bsc never sets it.
  location_name text check (private.fits(location_name, 200)),
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  created_at timestamptz not null default now(),
  check ((latitude is null) = (longitude is null))
)
-- Counters change often. Free space in the pages lets these updates leave the indexes unchanged.
with (fillfactor = 85);

-- For the newest highlights, and those of one or several authors (profile grid, following). No index contains a counter.
create index highlights_newest on public.highlights (created_at desc, id desc);
create index highlights_author on public.highlights (author_id, created_at desc);
create index highlights_tags on public.highlights using gin (tags);

-- No client may write author, counters, asset and created_at, so these columns are not granted. After sharing, only the
-- author's description of the clip may change, not the clip.
alter table public.highlights enable row level security;
revoke all on public.highlights from anon, authenticated;
grant select on public.highlights to anon;
grant select, delete on public.highlights to authenticated;
grant insert (
  id, author_id, mux_playback_id, thumbnail_url, caption, tags, duration, confidence, quality, detection_count,
  privacy_level, hide_likes, video_urls, local_video_id, local_rally_index, rally_metadata, location_name, latitude,
  longitude
) on public.highlights to authenticated;
grant update (caption, tags, privacy_level, hide_likes, location_name, latitude, longitude)
  on public.highlights to authenticated;

-- bsc writes the columns, the app the object; this fills in the other. The app writes zeros for unknown values.
create function private.complete_rally_facts() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if new.rally_metadata is null then
    new.rally_metadata := jsonb_build_object(
      'duration', new.duration, 'confidence', coalesce(new.confidence, 0), 'quality', coalesce(new.quality, 0),
      'detection_count', coalesce(new.detection_count, 0));
  elsif private.is_rally_metadata(new.rally_metadata) then
    new.duration := coalesce(new.duration, (new.rally_metadata ->> 'duration')::double precision);
    new.confidence := coalesce(new.confidence, (new.rally_metadata ->> 'confidence')::double precision);
    new.quality := coalesce(new.quality, (new.rally_metadata ->> 'quality')::double precision);
    new.detection_count := coalesce(new.detection_count, (new.rally_metadata ->> 'detection_count')::integer);
  end if;
  return new;
end;
$$;

create trigger complete_rally_facts before insert on public.highlights
  for each row execute function private.complete_rally_facts();

create function private.count_highlights() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  step integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform from public.profiles where id in (select author_id from changed) order by id for no key update;
  update public.profiles p set highlights_count = greatest(highlights_count + step * c.number, 0)
  from (select author_id, count(*) as number from changed group by 1) c where p.id = c.author_id;
  return null;
end;
$$;

create trigger join_writers before insert on public.highlights
  for each statement execute function private.join_writers();
create trigger stop_writers before delete on public.highlights
  for each statement execute function private.stop_writers();
create trigger count_new after insert on public.highlights referencing new table as changed
  for each statement execute function private.count_highlights();
create trigger count_gone after delete on public.highlights referencing old table as changed
  for each statement execute function private.count_highlights();

revoke all on function private.complete_rally_facts(), private.count_highlights() from public;
