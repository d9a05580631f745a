-- A sync has an owner, a random ID that its client repeats: a repeated start is the same sync, and each batch of posts renews
-- the lock, so that a long sync keeps it. Handles are read in the order in which they were last read, and a sync that stopped
-- inside the pages of a handle continues there.

alter table private.social_syncs
  -- Null for clients of earlier versions.
  add column owner uuid,
  -- When the owner stored something. A sync that has stored nothing for ten minutes was killed.
  add column renewed_at timestamptz;
alter table private.social_cursors
  -- Where the next sync continues inside the pages of a handle, and what `since_id` becomes at their end.
  add column page_position text check (char_length(page_position) between 1 and 500),
  add column newest_id text check (char_length(newest_id) between 1 and 64);

-- Renews the lock of a sync. PT409 with the hint `sync_lost` if another sync has started, or if the sync has ended. Nothing
-- without an owner.
create function private.renew_sync(family uuid, owner uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if renew_sync.owner is null then return; end if;
  update private.social_syncs s set renewed_at = clock_timestamp()
  where s.family_unit_id = renew_sync.family and s.owner = renew_sync.owner and s.finished_at is null;
  if not found then
    raise sqlstate 'PT409' using message = 'another sync of the family has started, or the sync has ended', hint = 'sync_lost';
  end if;
end;
$$;

-- Starts a sync: one per family at a time, and at most one in five minutes. A repeated start of the same owner is the same
-- sync. PT429 with the seconds to wait as `hint`.
drop function public.begin_sync(uuid);
create function public.begin_sync(family uuid, owner uuid default null) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  earlier private.social_syncs;
  free_at timestamptz;
begin
  perform pg_advisory_xact_lock_shared(20261122);
  perform private.require_family(family);
  insert into private.social_syncs as s (family_unit_id, started_at, owner, renewed_at)
  values (family, clock_timestamp(), begin_sync.owner, clock_timestamp())
  on conflict (family_unit_id) do update set started_at = excluded.started_at, finished_at = null, owner = excluded.owner,
    renewed_at = excluded.renewed_at
    where case when s.finished_at is null
      then coalesce(s.owner = excluded.owner, false)
        or coalesce(s.renewed_at, s.started_at) <= clock_timestamp() - interval '10 minutes'
      else s.started_at <= clock_timestamp() - interval '5 minutes' end;
  if found then return; end if;
  select * into earlier from private.social_syncs s where s.family_unit_id = family;
  free_at := case when earlier.finished_at is null
    then coalesce(earlier.renewed_at, earlier.started_at) + interval '10 minutes'
    else earlier.started_at + interval '5 minutes' end;
  raise sqlstate 'PT429' using message = 'please wait a few minutes before syncing again',
    hint = greatest(1, ceil(extract(epoch from free_at - clock_timestamp())))::integer::text;
end;
$$;

-- Ends the sync of the owner.
drop function public.finish_sync(uuid);
create function public.finish_sync(family uuid, owner uuid default null) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock_shared(20261122);
  perform private.require_family(family);
  update private.social_syncs s set finished_at = clock_timestamp()
  where s.family_unit_id = family and s.finished_at is null and s.owner is not distinct from finish_sync.owner;
end;
$$;

-- The handles of the coaches and schools that are not archived, with their state. Those that were never read are first, then
-- those that were not read for the longest time, so that a platform's limit doesn't always stop before the same handles.
drop function public.sync_handles(uuid);
create function public.sync_handles(family uuid)
returns table (
  platform text, handle text, external_id text, since_id text, last_synced_at timestamptz, last_error text,
  page_position text, newest_id text)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_family(family);
  return query
  select h.platform, h.handle, c.external_id, c.since_id, c.last_synced_at, c.last_error, c.page_position, c.newest_id
  from (
    select 'twitter' as platform, lower(k.twitter_handle) as handle from public.coaches k
    where k.family_unit_id = family and k.archived_at is null
    union select 'instagram', lower(k.instagram_handle) from public.coaches k
    where k.family_unit_id = family and k.archived_at is null
    union select 'twitter', lower(k.twitter_handle) from public.schools k
    where k.family_unit_id = family and k.archived_at is null
    union select 'instagram', lower(k.instagram_handle) from public.schools k
    where k.family_unit_id = family and k.archived_at is null) h
  left join private.social_cursors c
    on c.family_unit_id = family and c.platform = h.platform and c.handle = h.handle
  where h.handle is not null
  order by c.last_synced_at nulls first, h.platform, h.handle;
end;
$$;

-- Stores the state of a handle, and renews the lock of the sync. A failure keeps `since_id`, so that the next sync reads the
-- same posts. Without `was_read`, because a limit stopped the sync before the handle, only the error changes.
drop function public.save_sync_state(uuid, text, text, text, text, text);
create function public.save_sync_state(
  family uuid, platform text, handle text, external_id text default null, since_id text default null,
  error text default null, owner uuid default null, page_position text default null, newest_id text default null,
  was_read boolean default true
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock_shared(20261122);
  perform private.require_family(family);
  perform private.renew_sync(family, owner);
  insert into private.social_cursors as c (
    family_unit_id, platform, handle, external_id, since_id, last_synced_at, last_error, page_position, newest_id)
  values (family, save_sync_state.platform, lower(private.clean_handle(save_sync_state.platform, save_sync_state.handle)),
    save_sync_state.external_id, save_sync_state.since_id, case when was_read then clock_timestamp() end, left(error, 500),
    save_sync_state.page_position, save_sync_state.newest_id)
  on conflict on constraint social_cursors_pkey do update set
    external_id = case when was_read then coalesce(excluded.external_id, c.external_id) else c.external_id end,
    since_id = case when was_read then coalesce(excluded.since_id, c.since_id) else c.since_id end,
    last_synced_at = coalesce(excluded.last_synced_at, c.last_synced_at), last_error = excluded.last_error,
    page_position = case when was_read then excluded.page_position else c.page_position end,
    newest_id = case when was_read then excluded.newest_id else c.newest_id end;
end;
$$;

-- The posts of a sync also renew its lock.
alter function public.ingest_posts(uuid, jsonb) set schema private;
alter function private.ingest_posts(uuid, jsonb) rename to add_posts;
create function public.ingest_posts(family uuid, posts jsonb, owner uuid default null) returns jsonb
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock_shared(20261122);
  perform private.require_family(family);
  perform private.renew_sync(family, owner);
  return private.add_posts(family, posts);
end;
$$;

revoke all on function
  private.renew_sync(uuid, uuid), private.add_posts(uuid, jsonb), public.ingest_posts(uuid, jsonb, uuid),
  public.begin_sync(uuid, uuid), public.finish_sync(uuid, uuid), public.sync_handles(uuid),
  public.save_sync_state(uuid, text, text, text, text, text, uuid, text, text, boolean)
  from public, anon, authenticated, service_role;
grant execute on function
  public.ingest_posts(uuid, jsonb, uuid), public.begin_sync(uuid, uuid), public.finish_sync(uuid, uuid),
  public.sync_handles(uuid), public.save_sync_state(uuid, text, text, text, text, text, uuid, text, text, boolean)
  to authenticated;
