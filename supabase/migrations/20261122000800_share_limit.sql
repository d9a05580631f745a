-- The sharing limit of accounts. Nothing is refused: clients read the limit and slow down, and accounts that exceed it are
-- flagged for moderators. A post of several rallies counts as one.

create table public.rate_limits (
  name text primary key,
  max_count integer not null check (max_count > 0),
  window_seconds integer not null check (window_seconds > 0)
);
insert into public.rate_limits values ('shared_rallies', 20, 3600);

create table public.account_flags (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  reason text not null references public.rate_limits (name),
  -- The number of shares within the window when the flag was set.
  observed_count integer not null,
  created_at timestamptz not null default now()
);
create index account_flags_user on public.account_flags (user_id, created_at desc);
create index account_flags_reason on public.account_flags (reason);

-- Separate from the highlights, so that deleting one doesn't reduce the count.
create table private.shares (
  author_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now()
);
create index shares_author on private.shares (author_id, created_at);

alter table public.rate_limits enable row level security;
alter table public.account_flags enable row level security;
alter table private.shares enable row level security;
revoke all on public.rate_limits, public.account_flags from anon, authenticated;
grant select on public.rate_limits to anon, authenticated;
grant select on public.account_flags to authenticated;

-- Sets one flag per window. The lock of the author's row, which counting takes again after the statement, serializes
-- concurrent highlights.
create function private.flag_fast_sharing() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  rule public.rate_limits;
  used integer;
begin
  perform from public.profiles where id = new.author_id for no key update;
  select * into strict rule from public.rate_limits where name = 'shared_rallies';
  insert into private.shares (author_id) values (new.author_id);
  select count(*) into used from private.shares
  where author_id = new.author_id and created_at > now() - make_interval(secs => rule.window_seconds);
  if used > rule.max_count and not exists (
    select from public.account_flags
    where user_id = new.author_id and reason = rule.name
      and created_at > now() - make_interval(secs => rule.window_seconds))
  then
    insert into public.account_flags (user_id, reason, observed_count) values (new.author_id, rule.name, used);
  end if;
  return null;
end;
$$;
revoke all on function private.flag_fast_sharing() from public;

create trigger flag_fast_sharing after insert on public.highlights
  for each row execute function private.flag_fast_sharing();
