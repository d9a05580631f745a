-- Like before, but takes the lock of `join_writers` before the row of the request. A block or a deletion of the account, which
-- has the exclusive lock, waits for this row, so the two waited for each other.
create or replace function public.accept_follow_request(requester uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock_shared(20261122);
  delete from public.follow_requests where requester_id = requester and target_id = auth.uid();
  if not found then
    raise sqlstate 'PT404' using message = 'there is no such request';
  end if;
  insert into public.follows (follower_id, following_id) values (requester, auth.uid()) on conflict do nothing;
end;
$$;
