-- The same function as in `20261122001000_mux_events.sql`, except for one text: both backends report the same reason.
create or replace function public.time_out_uploads() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  ended integer;
  given_up integer;
begin
  -- Skips locked uploads. The next sweep processes them.
  update public.uploads set status = 'timed_out'
  where id in (
    select id from public.uploads
    where status = 'waiting' and expires_at <= now() and (mux_upload_id is null or checked_at >= expires_at)
    for update skip locked);
  get diagnostics ended = row_count;
  update public.uploads set status = 'cancelled', error = 'the other clips of the post were not uploaded'
  where id in (
    select u.id from public.uploads u
    where u.status = 'asset_created' and u.mux_playback_id is not null and not exists (
      select from public.uploads other
      where other.author_id = u.author_id and other.highlight_id = u.highlight_id and not other.superseded
        and other.created_at > now() - interval '8 days')
    for update skip locked);
  get diagnostics given_up = row_count;
  -- Mux repeats an event for a day.
  delete from private.mux_events where received_at < now() - interval '7 days';
  delete from private.shares where created_at < now() - interval '1 day';
  return ended + given_up;
end;
$$;
