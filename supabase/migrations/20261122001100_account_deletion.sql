-- Deleting an account: asked for by inserting a row, taken back by deleting it, done by the sweep after seven days.
-- Meanwhile nobody else sees the account (`private.can_see_profile`).

create table public.account_deletions (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  requested_at timestamptz not null default now(),
  deletes_at timestamptz not null default now() + interval '7 days'
);
create index account_deletions_due on public.account_deletions (deletes_at);

-- The dates are not the client's.
alter table public.account_deletions enable row level security;
revoke all on public.account_deletions from anon, authenticated;
grant select, delete on public.account_deletions to authenticated;
grant insert (user_id) on public.account_deletions to authenticated;

-- Deletes accounts whose grace is over; everything of theirs goes with them. Returns their ids: files in the Storage are
-- the caller's to delete. Few at a time, because nobody else writes meanwhile; called again until none is left.
create function public.delete_expired_accounts(max_rows integer default 5) returns setof uuid
language plpgsql security definer set search_path = ''
as $$
declare
  account uuid;
begin
  -- As `stop_writers`, and one sweep at a time: before the first row.
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
