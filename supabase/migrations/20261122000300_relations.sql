-- Follows, follow requests, blocks and mutes.
--
-- Tables of pairs have a separate `id` as primary key, here and later. PostgREST treats a table whose primary key consists
-- of two foreign keys as a many-to-many relationship, which would make `author:profiles(*)` ambiguous.

create table public.follows (
  id uuid primary key default gen_random_uuid(),
  follower_id uuid not null references public.profiles (id) on delete cascade,
  following_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (follower_id, following_id),
  check (follower_id <> following_id)
);
create index follows_followers on public.follows (following_id, created_at desc);

-- Followers-only profiles approve their followers.
create table public.follow_requests (
  id uuid primary key default gen_random_uuid(),
  requester_id uuid not null references public.profiles (id) on delete cascade,
  target_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (requester_id, target_id),
  check (requester_id <> target_id)
);
create index follow_requests_incoming on public.follow_requests (target_id, created_at desc);

create table public.user_blocks (
  id uuid primary key default gen_random_uuid(),
  blocker_id uuid not null references public.profiles (id) on delete cascade,
  blocked_id uuid not null references public.profiles (id) on delete cascade,
  reason text check (private.fits(reason, 500)),
  created_at timestamptz not null default now(),
  unique (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
-- A block works in both directions, so every visible row checks both.
create index user_blocks_blocked on public.user_blocks (blocked_id, blocker_id);

create table public.user_mutes (
  id uuid primary key default gen_random_uuid(),
  muter_id uuid not null references public.profiles (id) on delete cascade,
  muted_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (muter_id, muted_id),
  check (muter_id <> muted_id)
);
create index user_mutes_muted on public.user_mutes (muted_id);

-- Clients write only the two profiles of a pair. Rows are inserted and deleted, never updated.
alter table public.follows enable row level security;
alter table public.follow_requests enable row level security;
alter table public.user_blocks enable row level security;
alter table public.user_mutes enable row level security;
revoke all on public.follows, public.follow_requests, public.user_blocks, public.user_mutes from anon, authenticated;
grant select on public.follows to anon;
grant select, delete on public.follows, public.follow_requests, public.user_blocks, public.user_mutes to authenticated;
grant insert (follower_id, following_id) on public.follows to authenticated;
grant insert (requester_id, target_id) on public.follow_requests to authenticated;
grant insert (blocker_id, blocked_id, reason) on public.user_blocks to authenticated;
grant insert (muter_id, muted_id) on public.user_mutes to authenticated;

create function private.count_follows() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  step integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform from public.profiles
  where id in (select follower_id from changed union select following_id from changed) order by id for no key update;
  update public.profiles p set followers_count = greatest(followers_count + step * c.number, 0)
  from (select following_id, count(*) as number from changed group by 1) c where p.id = c.following_id;
  update public.profiles p set following_count = greatest(following_count + step * c.number, 0)
  from (select follower_id, count(*) as number from changed group by 1) c where p.id = c.follower_id;
  -- A follow completes its request.
  if tg_op = 'INSERT' then
    delete from public.follow_requests r using changed c
    where r.requester_id = c.follower_id and r.target_id = c.following_id;
  end if;
  return null;
end;
$$;

create trigger join_writers before insert or delete on public.follows
  for each statement execute function private.join_writers();
create trigger count_new after insert on public.follows referencing new table as changed
  for each statement execute function private.count_follows();
create trigger count_gone after delete on public.follows referencing old table as changed
  for each statement execute function private.count_follows();

-- A block deletes all relations between the two profiles. Removing the block doesn't restore them.
create function private.end_relation() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Two people who block each other at the same time lock both rows in the same order.
  perform from public.follows
  where (follower_id, following_id) in ((new.blocker_id, new.blocked_id), (new.blocked_id, new.blocker_id))
  order by id for update;
  delete from public.follows
  where (follower_id, following_id) in ((new.blocker_id, new.blocked_id), (new.blocked_id, new.blocker_id));
  delete from public.follow_requests
  where (requester_id, target_id) in ((new.blocker_id, new.blocked_id), (new.blocked_id, new.blocker_id));
  return null;
end;
$$;

-- A follow and a block between the same profiles may run concurrently without seeing each other. A block waits for running
-- follows, to delete them. A follow that waited for a block checks again, because its policy was evaluated before.
create function private.refuse_blocked() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  one uuid := (to_jsonb(new) ->> tg_argv[0])::uuid;
  other uuid := (to_jsonb(new) ->> tg_argv[1])::uuid;
begin
  if exists (
    select from public.user_blocks
    where blocker_id = one and blocked_id = other or blocker_id = other and blocked_id = one) then
    raise insufficient_privilege using message = 'one of the two has blocked the other';
  end if;
  return new;
end;
$$;

create trigger join_writers before insert on public.follow_requests
  for each statement execute function private.join_writers();
create trigger refuse_blocked before insert on public.follow_requests
  for each row execute function private.refuse_blocked('requester_id', 'target_id');
create trigger refuse_blocked before insert on public.follows
  for each row execute function private.refuse_blocked('follower_id', 'following_id');
create trigger stop_writers before insert on public.user_blocks
  for each statement execute function private.stop_writers();
create trigger end_relation after insert on public.user_blocks
  for each row execute function private.end_relation();

-- The only way to insert a follow for another account: the account has requested it, and the caller accepts.
create function public.accept_follow_request(requester uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.follow_requests where requester_id = requester and target_id = auth.uid();
  if not found then
    raise sqlstate 'PT404' using message = 'there is no such request';
  end if;
  insert into public.follows (follower_id, following_id) values (requester, auth.uid()) on conflict do nothing;
end;
$$;

revoke all on all functions in schema private from public;
revoke all on function public.accept_follow_request(uuid) from public, anon, authenticated, service_role;
grant execute on function public.accept_follow_request(uuid) to authenticated;
