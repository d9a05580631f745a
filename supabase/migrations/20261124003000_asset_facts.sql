-- The server checks what a client claims about a clip: the asset's own facts decide whether it becomes a highlight.

-- Only the database's owner can change the row.
create table private.asset_rules (
  is_only boolean primary key default true check (is_only),
  shortest_seconds double precision not null default 3,
  longest_seconds double precision not null default 60,
  -- Mux's duration can differ from the file's by a few frames.
  tolerance_seconds double precision not null default 0.2,
  -- Pixels. bsc shares clips of any size, so the lower limit only excludes files without a picture. Mux's largest resolution has
  -- 4096.
  smallest_side integer not null default 16,
  largest_side integer not null default 4096,
  -- Whether an asset without duration, tracks or size is refused. UNVERIFIED: Mux's reference lists them as optional.
  requires_facts boolean not null default true
);
insert into private.asset_rules default values;
alter table private.asset_rules enable row level security;

-- The reason why an asset (Mux's object) can't be a rally; null if it can.
create function private.asset_problem(asset jsonb) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  rule private.asset_rules;
  seconds double precision := case jsonb_typeof(asset -> 'duration') when 'number' then asset ->> 'duration' end;
  videos jsonb := case jsonb_typeof(asset -> 'tracks')
    when 'array' then jsonb_path_query_array(asset, 'lax $.tracks[*] ? (@.type == "video")') end;
  width double precision := case jsonb_typeof(videos #> '{0,max_width}') when 'number' then videos #>> '{0,max_width}' end;
  height double precision := case jsonb_typeof(videos #> '{0,max_height}') when 'number' then videos #>> '{0,max_height}' end;
begin
  select * into rule from private.asset_rules;
  if jsonb_array_length(videos) <> 1 then
    return format('the clip has %s video tracks; it must have one', jsonb_array_length(videos));
  end if;
  if seconds not between rule.shortest_seconds - rule.tolerance_seconds and rule.longest_seconds + rule.tolerance_seconds then
    return format('the clip lasts %s s; a rally must last %s to %s s', round(seconds::numeric, 2), rule.shortest_seconds,
      rule.longest_seconds);
  end if;
  if least(width, height) < rule.smallest_side or greatest(width, height) > rule.largest_side then
    return format('the picture has %s × %s pixels; each side must have %s to %s', width, height, rule.smallest_side,
      rule.largest_side);
  end if;
  if rule.requires_facts and (seconds is null or videos is null or width is null or height is null) then
    return 'the duration, the tracks or the size of the clip are unknown';
  end if;
  return null;
end;
$$;

-- Before anything is visible. The end of the upload removes the asset, and the author gets the reason as a notification.
alter function private.publish(public.uploads, jsonb, text) rename to publish_clip;
create function private.publish(upload public.uploads, asset jsonb, playback_as text) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  problem text := private.asset_problem(asset);
begin
  if problem is null then return private.publish_clip(upload, asset, playback_as); end if;
  perform private.end_post(upload, 'errored', problem);
  insert into public.notifications (user_id, kind, cause, details)
  values (upload.author_id, 'moderation', upload.id, jsonb_build_object(
    'action', 'refuse', 'removed', true, 'target_type', 'highlight', 'target_id', upload.highlight_id,
    'content', left(upload.caption, 200), 'reason', problem, 'until', null))
  on conflict do nothing;
  return 'errored';
end;
$$;

revoke all on function private.asset_problem(jsonb), private.publish(public.uploads, jsonb, text) from public;
