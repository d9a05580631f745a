-- Schools and coaches of a family.

-- A handle as it is stored: without `@` and without the address of a profile. `x.com` and `twitter.com` are the same.
-- Text that can't be a handle is returned unchanged, so that the check constraint refuses it.
create function private.clean_handle(platform text, handle text) returns text
language sql immutable parallel safe
as $$
  select coalesce(
    nullif(regexp_replace(regexp_replace(btrim(handle, E' \t\n\r'),
      case platform
        when 'twitter' then '^(?:https?://)?(?:(?:www|mobile|m)\.)?(?:twitter|x)\.com/([^/?#]*).*$'
        else '^(?:https?://)?(?:www\.)?instagram\.com/([^/?#]*).*$' end,
      '\1', 'i'), '^@', ''), ''),
    nullif(btrim(handle, E' \t\n\r'), ''));
$$;

create function private.is_handle(platform text, handle text) returns boolean
language sql immutable parallel safe
as $$
  select case platform
    when 'twitter' then handle ~ '^[A-Za-z0-9_]{1,15}$'
    when 'instagram' then handle ~ '^[A-Za-z0-9._]{1,30}$' and handle !~ '^\.|\.$|\.\.'
    else false end;
$$;

-- Whether a time has a year with four digits, as clients read it.
create function private.is_time(value timestamptz) returns boolean
language sql immutable parallel safe
as $$
  select value >= '0001-01-01 00:00:00+00'::timestamptz and value < '10000-01-01 00:00:00+00'::timestamptz;
$$;

create table public.schools (
  id uuid primary key default gen_random_uuid(),
  family_unit_id uuid not null references public.family_units (id) on delete cascade,
  name text not null check (name ~ '\S' and private.fits(name, 200)),
  twitter_handle text check (private.is_handle('twitter', twitter_handle)),
  instagram_handle text check (private.is_handle('instagram', instagram_handle)),
  -- Set instead of deleting the row, so that old interactions keep their names.
  archived_at timestamptz check (private.is_time(archived_at)),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- For the composite foreign keys, which keep all references within one family.
  unique (id, family_unit_id)
);
create index schools_family on public.schools (family_unit_id, name);

create table public.coaches (
  id uuid primary key default gen_random_uuid(),
  family_unit_id uuid not null references public.family_units (id) on delete cascade,
  school_id uuid,
  first_name text not null check (first_name ~ '\S' and private.fits(first_name, 100)),
  last_name text not null check (last_name ~ '\S' and private.fits(last_name, 100)),
  -- Any text; `head_coach` is shown as "Head Coach".
  role text check (role ~ '\S' and private.fits(role, 60)),
  twitter_handle text check (private.is_handle('twitter', twitter_handle)),
  instagram_handle text check (private.is_handle('instagram', instagram_handle)),
  -- The newest interaction that has taken place. No client writes it.
  last_contact_date timestamptz,
  archived_at timestamptz check (private.is_time(archived_at)),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, family_unit_id),
  foreign key (school_id, family_unit_id) references public.schools (id, family_unit_id) on delete set null (school_id)
);
create index coaches_family on public.coaches (family_unit_id, last_name, first_name);
create index coaches_school on public.coaches (school_id, family_unit_id);
-- Posts find their coach and school by the handle.
create index coaches_twitter on public.coaches (family_unit_id, lower(twitter_handle));
create index coaches_instagram on public.coaches (family_unit_id, lower(instagram_handle));

alter table public.schools enable row level security;
alter table public.coaches enable row level security;
revoke all on public.schools, public.coaches from anon, authenticated;
grant
  select, insert (id, family_unit_id, name, twitter_handle, instagram_handle),
  update (name, twitter_handle, instagram_handle, archived_at)
  on public.schools to authenticated;
grant
  select, insert (id, family_unit_id, school_id, first_name, last_name, role, twitter_handle, instagram_handle),
  update (school_id, first_name, last_name, role, twitter_handle, instagram_handle, archived_at)
  on public.coaches to authenticated;

create policy schools_select on public.schools for select to authenticated
  using (family_unit_id in (select private.my_families()));
create policy schools_insert on public.schools for insert to authenticated
  with check (family_unit_id in (select private.my_families()));
create policy schools_update on public.schools for update to authenticated
  using (family_unit_id in (select private.my_families()));
create policy coaches_select on public.coaches for select to authenticated
  using (family_unit_id in (select private.my_families()));
create policy coaches_insert on public.coaches for insert to authenticated
  with check (family_unit_id in (select private.my_families()));
create policy coaches_update on public.coaches for update to authenticated
  using (family_unit_id in (select private.my_families()));

create function private.clean_handles() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.twitter_handle := private.clean_handle('twitter', new.twitter_handle);
  new.instagram_handle := private.clean_handle('instagram', new.instagram_handle);
  return new;
end;
$$;
create trigger clean_handles before insert or update of twitter_handle, instagram_handle on public.schools
  for each row execute function private.clean_handles();
create trigger clean_handles before insert or update of twitter_handle, instagram_handle on public.coaches
  for each row execute function private.clean_handles();
create trigger set_updated_at before update on public.schools for each row execute function private.set_updated_at();
create trigger set_updated_at before update on public.coaches for each row execute function private.set_updated_at();
-- Deleting a family excludes these statements, whose rows it deletes.
create trigger join_writers before insert or update on public.schools
  for each statement execute function private.join_writers();
create trigger join_writers before insert or update on public.coaches
  for each statement execute function private.join_writers();

revoke all on function
  private.clean_handle(text, text), private.is_handle(text, text), private.clean_handles(), private.is_time(timestamptz)
  from public;
-- Triggers and check constraints are evaluated with the writer's rights.
grant execute on function private.clean_handle(text, text), private.is_handle(text, text), private.is_time(timestamptz)
  to authenticated, service_role;
