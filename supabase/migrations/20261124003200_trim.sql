-- Trimming a highlight without a new upload: Mux creates a clip of its asset, and the highlight gets the clip's asset. Its ID,
-- likes and comments stay.

create table private.trims (
  -- Sent to Mux as `passthrough`, which every event contains.
  id uuid primary key default gen_random_uuid(),
  author_id uuid not null references public.profiles (id) on delete cascade,
  -- Not a foreign key: an event about a deleted highlight's clip must find it, so that its asset is deleted.
  highlight_id uuid not null,
  -- The asset that is trimmed. A highlight with another asset was trimmed in the meantime.
  source_asset_id text not null,
  start_seconds double precision not null check (start_seconds >= 0),
  end_seconds double precision not null check (end_seconds > start_seconds),
  status text not null default 'waiting' check (status in ('waiting', 'ready', 'errored', 'cancelled')),
  error text,
  mux_asset_id text unique,
  created_at timestamptz not null default now(),
  -- When Mux was last asked, in case its events were lost.
  checked_at timestamptz not null default now()
);
create unique index trims_current on private.trims (highlight_id) where status = 'waiting';
create index trims_author on private.trims (author_id);
create index trims_unfinished on private.trims (checked_at) where status = 'waiting';
alter table private.trims enable row level security;
-- The clip of a deleted account's unfinished trim isn't the asset of a highlight, so nothing else would delete it at Mux.
create trigger leave_asset after delete on private.trims
  for each row when (old.status = 'waiting' and old.mux_asset_id is not null) execute function private.leave_asset();

-- Starts a trim. The outcome is `created` or `repeated` with `id`, `asset_id` (the source) and `policy`, and without `id`
-- `not_found` (also for others' highlights), `no_asset` (the video isn't at Mux, or not ready), `several_clips`, `outside` (of
-- the video), or `length` (not 3 to 60 s). A newer trim of the same highlight cancels the older one.
create function public.create_trim(
  author uuid, highlight uuid, start_seconds double precision, end_seconds double precision
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  rule private.asset_rules;
  target public.highlights;
  trim private.trims;
  result text := 'repeated';
begin
  -- Like `join_writers`, before the first row lock.
  perform pg_advisory_xact_lock_shared(20261122);
  select * into rule from private.asset_rules;
  select * into target from public.highlights h where h.id = highlight and h.author_id = author for no key update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if target.mux_asset_id is null or not target.is_ready then return jsonb_build_object('outcome', 'no_asset'); end if;
  if exists (select from private.post_assets p where p.highlight_id = target.id) then
    return jsonb_build_object('outcome', 'several_clips');
  end if;
  if not (start_seconds >= 0 and end_seconds > start_seconds
    and end_seconds <= coalesce(target.duration, rule.longest_seconds) + rule.tolerance_seconds)
  then
    return jsonb_build_object('outcome', 'outside');
  end if;
  if end_seconds - start_seconds not between rule.shortest_seconds - 1e-6 and rule.longest_seconds + 1e-6 then
    return jsonb_build_object('outcome', 'length');
  end if;
  select * into trim from private.trims t
  where t.highlight_id = target.id and t.status = 'waiting' and t.source_asset_id = target.mux_asset_id
    and (t.start_seconds, t.end_seconds) = (create_trim.start_seconds, create_trim.end_seconds);
  if not found then
    perform private.end_trim(t.id, 'cancelled', 'a newer trim took its place')
    from private.trims t where t.highlight_id = target.id and t.status = 'waiting';
    insert into private.trims (author_id, highlight_id, source_asset_id, start_seconds, end_seconds)
    values (author, target.id, target.mux_asset_id, create_trim.start_seconds, create_trim.end_seconds)
    returning * into trim;
    result := 'created';
  end if;
  return jsonb_build_object(
    'outcome', result, 'id', trim.id, 'asset_id', trim.source_asset_id, 'is_known', trim.mux_asset_id is not null,
    'policy', case when private.is_closed(author, target.privacy_level) then 'signed' else 'public' end);
end;
$$;

-- Ends a trim without a result, and schedules its clip for deletion.
create function private.end_trim(trim_id uuid, status text, error text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.mux_leftovers (kind, id)
  select 'asset', t.mux_asset_id from private.trims t where t.id = trim_id and t.mux_asset_id is not null
  on conflict do nothing;
  update private.trims t set status = end_trim.status, error = end_trim.error where t.id = trim_id;
end;
$$;

-- Records the asset that Mux created for a trim. If two requests created one, the first one is used.
create function public.record_trim(trim_id uuid, asset text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update private.trims t set mux_asset_id = asset
  where t.id = trim_id and (t.mux_asset_id = asset or t.status = 'waiting' and t.mux_asset_id is null);
  if not found then
    insert into private.mux_leftovers values ('asset', asset) on conflict do nothing;
  end if;
end;
$$;

create function public.trim_state(author uuid, trim_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('id', t.id, 'highlight_id', t.highlight_id, 'status', t.status, 'error', t.error)
  from private.trims t where t.id = trim_state.trim_id and t.author_id = author;
$$;

-- Applies an event about a trim's clip. The results are those of `apply_mux_event`.
create function private.apply_trim_event(trim_id uuid, event_type text, data jsonb) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  asset text := data ->> 'id';
  public_id text := private.playback_id(data, 'public');
  signed_id text := private.playback_id(data, 'signed');
  trim private.trims;
  target public.highlights;
  problem text;
begin
  -- In the order of other writers: the highlight, then its assets.
  select h.* into target from public.highlights h
  where h.id = (select t.highlight_id from private.trims t where t.id = trim_id) for no key update;
  select * into trim from private.trims t where t.id = trim_id for update;
  if trim.status = 'ready' and trim.mux_asset_id = asset then return 'ignored'; end if;
  if trim.status <> 'waiting' or trim.mux_asset_id <> asset or target.mux_asset_id is distinct from trim.source_asset_id then
    insert into private.mux_leftovers values ('asset', asset) on conflict do nothing;
    if trim.status = 'waiting' and target.mux_asset_id is distinct from trim.source_asset_id then
      perform private.end_trim(trim.id, 'cancelled', 'the highlight was deleted or trimmed in the meantime');
    end if;
    return 'ignored';
  end if;
  update private.trims t set mux_asset_id = asset where t.id = trim.id;
  case event_type
    when 'video.asset.ready' then
      problem := case when coalesce(public_id, signed_id) is null then 'the asset has no playback id'
        else private.asset_problem(data) end;
    when 'video.asset.errored' then
      problem := coalesce(
        (select string_agg(message #>> '{}', '; ') from jsonb_path_query(data, 'lax $.errors.messages[*]') as message),
        data #>> '{errors,type}', 'no reason given');
    else
      return 'applied';
  end case;
  if problem is not null then
    perform private.end_trim(trim.id, 'errored', problem);
    return 'errored';
  end if;
  update public.highlights h set
    mux_asset_id = asset, duration = trim.end_seconds - trim.start_seconds,
    rally_metadata = jsonb_set(h.rally_metadata, '{duration}', to_jsonb(trim.end_seconds - trim.start_seconds))
  where h.id = target.id;
  update private.playbacks p set
    mux_asset_id = asset, public_id = private.playback_id(data, 'public'), signed_id = private.playback_id(data, 'signed')
  where p.mux_asset_id = trim.source_asset_id;
  perform private.update_playback(array[target.id]);
  insert into private.mux_leftovers values ('asset', trim.source_asset_id) on conflict do nothing;
  update private.trims t set status = 'ready' where t.id = trim.id;
  return 'published';
end;
$$;

-- Like before, for events about trims as well.
alter function public.apply_mux_event(text, text, jsonb, text) rename to apply_upload_event;
alter function public.apply_upload_event(text, text, jsonb, text) set schema private;
create function public.apply_mux_event(
  event_id text, event_type text, data jsonb, playback_as text default 'id'
) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  trim uuid;
begin
  -- Like `join_writers`, before the first row lock.
  perform pg_advisory_xact_lock_shared(20261122);
  select t.id into trim from private.trims t
  where event_type like 'video.asset.%' and (t.id::text = lower(data ->> 'passthrough') or t.mux_asset_id = data ->> 'id')
  limit 1;
  if trim is null then return private.apply_upload_event(event_id, event_type, data, playback_as); end if;
  insert into private.mux_events (id, type) values (event_id, event_type) on conflict do nothing;
  if not found then return 'duplicate'; end if;
  return private.apply_trim_event(trim, event_type, data);
end;
$$;

-- For the sweep: trims without an event for ten minutes. Those whose clip is unknown after a day end, and ended ones are
-- forgotten after a month.
create function public.trims_to_check(max_rows integer default 20) returns table (id uuid, mux_asset_id text)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  delete from private.trims t where t.status <> 'waiting' and t.created_at < now() - interval '30 days';
  perform private.end_trim(t.id, 'errored', 'Mux did not create the clip') from private.trims t
  where t.status = 'waiting' and t.mux_asset_id is null and t.created_at < now() - interval '1 day';
  return query
  update private.trims t set checked_at = now()
  where t.id in (
    select o.id from private.trims o
    where o.status = 'waiting' and o.mux_asset_id is not null and o.checked_at < now() - interval '10 minutes'
    order by o.checked_at limit max_rows for update skip locked)
  returning t.id, t.mux_asset_id;
end;
$$;

revoke all on function
  private.end_trim(uuid, text, text), private.apply_trim_event(uuid, text, jsonb),
  private.apply_upload_event(text, text, jsonb, text)
  from public, anon, authenticated, service_role;
revoke all on function
  public.create_trim(uuid, uuid, double precision, double precision), public.record_trim(uuid, text),
  public.trim_state(uuid, uuid), public.apply_mux_event(text, text, jsonb, text), public.trims_to_check(integer)
  from public, anon, authenticated, service_role;
grant execute on function
  public.create_trim(uuid, uuid, double precision, double precision), public.record_trim(uuid, text),
  public.trim_state(uuid, uuid), public.apply_mux_event(text, text, jsonb, text), public.trims_to_check(integer)
  to service_role;
