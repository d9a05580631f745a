-- For the function `delete-account`, which the app calls. Works as if the account had inserted the row itself.

-- Returns when the account will be deleted. A pending request keeps its date. Raises 23503 if the account doesn't exist.
create function public.request_account_deletion(account uuid) returns timestamptz
language plpgsql security definer set search_path = ''
as $$
declare
  time timestamptz;
begin
  insert into public.account_deletions (user_id) values (account) on conflict do nothing;
  select deletes_at into time from public.account_deletions where user_id = account;
  return time;
end;
$$;

revoke all on function public.request_account_deletion(uuid) from public, anon, authenticated, service_role;
grant execute on function public.request_account_deletion(uuid) to service_role;
