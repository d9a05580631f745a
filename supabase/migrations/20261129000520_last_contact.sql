-- Like before, but compares with the current time instead of the start of the transaction: a transaction that waited for
-- another member's newer interaction moved the last contact back, because that interaction was in its future.
create or replace function private.update_last_contact() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  touched uuid[];
begin
  if tg_op = 'INSERT' then
    touched := array(select distinct coach_id from changed where coach_id is not null);
  elsif tg_op = 'DELETE' then
    touched := array(select distinct coach_id from gone where coach_id is not null);
  else
    touched := array(
      select coach_id from changed where coach_id is not null union select coach_id from gone where coach_id is not null);
  end if;
  -- In one order, so that two writers don't wait for each other.
  perform from public.coaches c where c.id = any(touched) order by c.id for no key update;
  update public.coaches c set last_contact_date = newest.time
  from (
    select k.id, (
      select max(i.display_at) from public.interactions i
      where i.coach_id = k.id and i.display_at <= clock_timestamp()) as time
    from public.coaches k where k.id = any(touched)) newest
  where c.id = newest.id and c.last_contact_date is distinct from newest.time;
  return null;
end;
$$;
