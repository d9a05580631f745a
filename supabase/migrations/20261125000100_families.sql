-- Families: the boundary of everything in recruiting, with roles and invitations.
--
-- Nothing here can be read without a sign-in. A member is an athlete or a parent. Parents invite anyone and remove members.
-- An athlete invites a parent only as the single member, because a parent sees the interactions of all athletes.

create table public.family_units (
  id uuid primary key default gen_random_uuid(),
  name text not null check (name ~ '\S' and private.fits(name, 80)),
  created_at timestamptz not null default now()
);

create table public.family_members (
  id uuid primary key default gen_random_uuid(),
  family_unit_id uuid not null references public.family_units (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  role text not null check (role in ('athlete', 'parent')),
  created_at timestamptz not null default now(),
  unique (family_unit_id, user_id)
);
create index family_members_user on public.family_members (user_id);

create table public.family_invites (
  id uuid primary key default gen_random_uuid(),
  -- SHA-256 of the code, which only the person who made it has seen.
  code_hash text not null unique check (code_hash ~ '^[0-9a-f]{64}$'),
  family_unit_id uuid not null references public.family_units (id) on delete cascade,
  role text not null check (role in ('athlete', 'parent')),
  invited_by uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index family_invites_family on public.family_invites (family_unit_id);
create index family_invites_inviter on public.family_invites (invited_by);

alter table public.family_units enable row level security;
alter table public.family_members enable row level security;
alter table public.family_invites enable row level security;
revoke all on public.family_units, public.family_members, public.family_invites from anon, authenticated;
grant select, update (name) on public.family_units to authenticated;
grant select, delete on public.family_members to authenticated;
grant select, delete on public.family_invites to authenticated;

-- The caller's families, all or those in which the caller has a role. Policies use it in a subquery, so that it is evaluated
-- once per statement instead of once per row.
create function private.my_families(as_role text default null) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select m.family_unit_id from public.family_members m
  where m.user_id = auth.uid() and (as_role is null or m.role = as_role);
$$;

create policy family_units_select on public.family_units for select to authenticated
  using (id in (select private.my_families()));
create policy family_units_update on public.family_units for update to authenticated
  using (id in (select private.my_families()));
create policy family_members_select on public.family_members for select to authenticated
  using (family_unit_id in (select private.my_families()));
-- Everyone may leave.
create policy family_members_delete on public.family_members for delete to authenticated
  using (user_id = (select auth.uid()) or family_unit_id in (select private.my_families('parent')));
create policy family_invites_select on public.family_invites for select to authenticated
  using (family_unit_id in (select private.my_families()));
create policy family_invites_delete on public.family_invites for delete to authenticated
  using (
    invited_by = (select auth.uid()) and family_unit_id in (select private.my_families())
    or family_unit_id in (select private.my_families('parent')));

-- Raised for strangers, who don't learn whether the family exists.
create function private.require_family(family uuid, as_role text default null) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not exists (select from private.my_families(as_role) as mine where mine = family) then
    raise insufficient_privilege using message = case
      when as_role is null then 'only members of the family may do this'
      else format('only members with the role %s may do this', as_role) end;
  end if;
end;
$$;

-- A family without members could never be read again. Deleting takes the exclusive lock before the first row, like deleting
-- a profile: it cascades to rows that others write.
create function private.delete_empty_families() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.family_units f
  where f.id in (select family_unit_id from gone)
    and not exists (select from public.family_members m where m.family_unit_id = f.id);
  return null;
end;
$$;
create trigger stop_writers before delete on public.family_members
  for each statement execute function private.stop_writers();
create trigger stop_writers before delete on public.family_units
  for each statement execute function private.stop_writers();
create trigger delete_empty after delete on public.family_members referencing old table as gone
  for each statement execute function private.delete_empty_families();

-- Makes a family with the caller as its first member. An account belongs to at most 10 families.
create function public.create_family(name text, role text default 'parent') returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  family uuid;
begin
  -- Like `join_writers`, before the first row lock.
  perform pg_advisory_xact_lock_shared(20261122);
  perform from public.profiles p where p.id = auth.uid() for no key update;
  if (select count(*) from private.my_families()) >= 10 then
    raise sqlstate 'PT409' using message = 'an account belongs to at most 10 families';
  end if;
  insert into public.family_units (name) values (create_family.name) returning id into family;
  insert into public.family_members (family_unit_id, user_id, role) values (family, auth.uid(), create_family.role);
  return family;
end;
$$;

-- 12 characters of Crockford's Base32 (no I, L, O, U): 60 bits, from the random bytes of a UUID.
create function private.new_invite_code() returns text
language sql volatile
as $$
  select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (get_byte(bits, place) & 31), 1), '' order by place)
  from (select uuid_send(gen_random_uuid()) as bits) random, unnest(array[0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 13, 14]) as place;
$$;

-- Codes are typed: lowercase, hyphens, spaces, and the letters that look like digits are accepted.
create function private.hash_invite_code(code text) returns text
language sql immutable
as $$
  select encode(sha256(convert_to(
    translate(regexp_replace(upper(code), '[^0-9A-Z]', '', 'g'), 'OIL', '011'), 'UTF8')), 'hex');
$$;

-- Whether a member may invite to a role now.
create function private.may_invite(family uuid, inviter uuid, as_role text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select from public.family_members m
    where m.family_unit_id = family and m.user_id = inviter and (
      m.role = 'parent' or as_role = 'parent' and not exists (
        select from public.family_members o where o.family_unit_id = family and o.user_id <> inviter)));
end;
$$;

-- Makes an invitation. Its code is returned once and stored only as a hash. A family has at most 20 open invitations.
create function public.create_family_invite(family uuid, role text, valid interval default '7 days')
returns table (id uuid, code text, expires_at timestamptz)
language plpgsql security definer set search_path = ''
as $$
declare
  new_code text := private.new_invite_code();
begin
  perform pg_advisory_xact_lock_shared(20261122);
  if not private.may_invite(family, auth.uid(), create_family_invite.role) then
    raise insufficient_privilege using message = 'the member may not invite to this role';
  end if;
  if valid is null or not valid between interval '1 minute' and interval '30 days' then
    raise check_violation using message = 'an invitation is valid for at most 30 days';
  end if;
  perform from public.family_units f where f.id = family for no key update;
  if (select count(*) from public.family_invites i
      where i.family_unit_id = family and i.used_at is null and i.expires_at > now()) >= 20 then
    raise sqlstate 'PT409' using message = 'a family has at most 20 open invitations';
  end if;
  return query
  insert into public.family_invites as i (code_hash, family_unit_id, role, invited_by, expires_at)
  values (private.hash_invite_code(new_code), family, create_family_invite.role, auth.uid(), now() + valid)
  returning i.id, new_code, i.expires_at;
end;
$$;

-- Makes the caller a member. A code works once, even if two people use it at the same time. PT404: unknown; PT410: used,
-- expired or withdrawn; PT409: already a member, or too many families or members.
create function public.accept_family_invite(code text) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  invite public.family_invites;
begin
  perform pg_advisory_xact_lock_shared(20261122);
  perform from public.profiles p where p.id = auth.uid() for no key update;
  select * into invite from public.family_invites i where i.code_hash = private.hash_invite_code(code) for update;
  if invite.id is null then raise sqlstate 'PT404' using message = 'the invitation does not exist'; end if;
  if invite.used_at is not null then raise sqlstate 'PT410' using message = 'the invitation was used'; end if;
  if invite.expires_at <= now() then raise sqlstate 'PT410' using message = 'the invitation has expired'; end if;
  -- One new member at a time, so that the checks below hold.
  perform from public.family_units f where f.id = invite.family_unit_id for no key update;
  if not private.may_invite(invite.family_unit_id, invite.invited_by, invite.role) then
    raise sqlstate 'PT410' using message = 'the inviting member may no longer invite to this role';
  end if;
  if invite.family_unit_id in (select private.my_families()) then
    raise sqlstate 'PT409' using message = 'the account is a member already';
  end if;
  if (select count(*) from private.my_families()) >= 10 then
    raise sqlstate 'PT409' using message = 'an account belongs to at most 10 families';
  end if;
  if (select count(*) from public.family_members m where m.family_unit_id = invite.family_unit_id) >= 20 then
    raise sqlstate 'PT409' using message = 'a family has at most 20 members';
  end if;
  insert into public.family_members (family_unit_id, user_id, role) values (invite.family_unit_id, auth.uid(), invite.role);
  update public.family_invites i set used_at = now() where i.id = invite.id;
  return invite.family_unit_id;
end;
$$;

-- The members with their names, which members see even if the profile is private.
create function public.family_people(family uuid)
returns table (user_id uuid, role text, display_name text, username text, created_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select m.user_id, m.role, p.display_name, p.username, m.created_at
  from public.family_members m join public.profiles p on p.id = m.user_id
  where m.family_unit_id = family and family in (select private.my_families())
  order by m.role, p.display_name, m.user_id;
$$;

revoke all on function
  private.my_families(text), private.require_family(uuid, text), private.delete_empty_families(), private.new_invite_code(),
  private.hash_invite_code(text), private.may_invite(uuid, uuid, text)
  from public;
grant execute on function private.my_families(text) to authenticated;
revoke all on function
  public.create_family(text, text), public.create_family_invite(uuid, text, interval), public.accept_family_invite(text),
  public.family_people(uuid)
  from public, anon, authenticated, service_role;
grant execute on function
  public.create_family(text, text), public.create_family_invite(uuid, text, interval), public.accept_family_invite(text),
  public.family_people(uuid)
  to authenticated;
