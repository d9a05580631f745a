-- Account deletion: inserting a row requests it, deleting the row cancels it, and the sweep executes it after seven days.
-- Until then the account is hidden from all others (`private.can_see_profile`).

create table public.account_deletions (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  requested_at timestamptz not null default now(),
  deletes_at timestamptz not null default now() + interval '7 days'
);
create index account_deletions_due on public.account_deletions (deletes_at);

-- Clients can't set the dates.
alter table public.account_deletions enable row level security;
revoke all on public.account_deletions from anon, authenticated;
grant select, delete on public.account_deletions to authenticated;
grant insert (user_id) on public.account_deletions to authenticated;

-- Deletes accounts whose grace period has ended, with everything that belongs to them. Returns their IDs, because the caller
-- deletes their files in the Storage. Deletes only a few per call, because it blocks all other writers; call it until it
-- returns none.
create function public.delete_expired_accounts(max_rows integer default 5) returns setof uuid
language plpgsql security definer set search_path = ''
as $$
declare
  account uuid;
begin
  -- Like `stop_writers`, before the first row lock. Only one sweep runs at a time.
  perform pg_advisory_xact_lock(20261122);
  for account in
    select user_id from public.account_deletions where deletes_at <= now() order by deletes_at limit max_rows
    for update
  loop
    delete from auth.users where id = account;
    return next account;
  end loop;
end;
$$;

revoke all on function public.delete_expired_accounts(integer) from public, anon, authenticated, service_role;
grant execute on function public.delete_expired_accounts(integer) to service_role;
