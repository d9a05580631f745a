-- Contacts with coaches. Athletes log them and see their own; parents see all of the family.

create table public.interactions (
  id uuid primary key default gen_random_uuid(),
  family_unit_id uuid not null references public.family_units (id) on delete cascade,
  logged_by uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  type text not null check (type in (
    'email', 'phone_call', 'text', 'in_person_visit', 'virtual_meeting', 'camp', 'showcase', 'tweet', 'dm')),
  direction text not null check (direction in ('outbound', 'inbound')),
  school_id uuid,
  coach_id uuid,
  subject text check (private.fits(subject, 300)),
  content text check (private.fits(content, 10000)),
  sentiment text check (sentiment in ('very_positive', 'positive', 'neutral', 'negative')),
  occurred_at timestamptz check (private.is_time(occurred_at)),
  attachments text[] not null default '{}' check (private.is_text_list(attachments, 20, 1024)),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- What lists show and sort by.
  display_at timestamptz not null generated always as (coalesce(occurred_at, created_at)) stored,
  unique (id, family_unit_id),
  foreign key (school_id, family_unit_id) references public.schools (id, family_unit_id) on delete set null (school_id),
  foreign key (coach_id, family_unit_id) references public.coaches (id, family_unit_id) on delete set null (coach_id)
);
create index interactions_family on public.interactions (family_unit_id, display_at desc, id);
create index interactions_member on public.interactions (logged_by, display_at desc);
create index interactions_coach on public.interactions (coach_id, family_unit_id, display_at desc);
create index interactions_school on public.interactions (school_id, family_unit_id);

alter table public.interactions enable row level security;
revoke all on public.interactions from anon, authenticated;
grant
  select, delete,
  insert (
    id, family_unit_id, logged_by, type, direction, school_id, coach_id, subject, content, sentiment, occurred_at, attachments),
  update (type, direction, school_id, coach_id, subject, content, sentiment, occurred_at, attachments)
  on public.interactions to authenticated;

create policy interactions_select on public.interactions for select to authenticated
  using (
    logged_by = (select auth.uid()) and family_unit_id in (select private.my_families())
    or family_unit_id in (select private.my_families('parent')));
create policy interactions_insert on public.interactions for insert to authenticated
  with check (logged_by = (select auth.uid()) and family_unit_id in (select private.my_families('athlete')));
create policy interactions_update on public.interactions for update to authenticated
  using (logged_by = (select auth.uid()) and family_unit_id in (select private.my_families()));
create policy interactions_delete on public.interactions for delete to authenticated
  using (logged_by = (select auth.uid()) and family_unit_id in (select private.my_families()));

create trigger set_updated_at before update on public.interactions
  for each row execute function private.set_updated_at();
create trigger join_writers before insert or update or delete on public.interactions
  for each statement execute function private.join_writers();

-- A coach's last contact is the newest interaction that has taken place. A planned one counts with the next change of the
-- coach's interactions after its time.
create function private.update_last_contact() returns trigger
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
      select max(i.display_at) from public.interactions i where i.coach_id = k.id and i.display_at <= now()) as time
    from public.coaches k where k.id = any(touched)) newest
  where c.id = newest.id and c.last_contact_date is distinct from newest.time;
  return null;
end;
$$;
create trigger last_contact_new after insert on public.interactions referencing new table as changed
  for each statement execute function private.update_last_contact();
create trigger last_contact_changed after update on public.interactions referencing new table as changed old table as gone
  for each statement execute function private.update_last_contact();
create trigger last_contact_gone after delete on public.interactions referencing old table as gone
  for each statement execute function private.update_last_contact();

-- `POST /api/interactions/{id}/cascade-delete`. PT404: not the caller's interaction; PT400: not confirmed.
create function public.cascade_delete_interaction(id uuid, confirm_delete boolean) returns jsonb
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock_shared(20261122);
  if confirm_delete is not true then
    raise sqlstate 'PT400' using message = 'the deletion must be confirmed';
  end if;
  delete from public.interactions i
  where i.id = cascade_delete_interaction.id and i.logged_by = auth.uid()
    and i.family_unit_id in (select private.my_families());
  if not found then raise sqlstate 'PT404' using message = 'the interaction does not exist'; end if;
  return jsonb_build_object(
    'success', true, 'deleted', jsonb_build_object('interactions', 1), 'message', 'Interaction deleted');
end;
$$;

revoke all on function private.update_last_contact() from public;
revoke all on function public.cascade_delete_interaction(uuid, boolean) from public, anon, authenticated, service_role;
grant execute on function public.cascade_delete_interaction(uuid, boolean) to authenticated;
