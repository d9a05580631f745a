-- The hashes of invitation codes move to a table that no member can read. A code has 60 bits, so a member with many processors
-- could find an open one from its hash, and let another account in.

create table private.family_invite_codes (
  invite_id uuid primary key references public.family_invites (id) on delete cascade,
  -- SHA-256 of the code, which only the person who made it has seen.
  code_hash text not null unique check (code_hash ~ '^[0-9a-f]{64}$')
);
alter table private.family_invite_codes enable row level security;
insert into private.family_invite_codes select i.id, i.code_hash from public.family_invites i;
alter table public.family_invites drop column code_hash;

create or replace function public.create_family_invite(family uuid, role text, valid interval default '7 days')
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
  with invite as (
    insert into public.family_invites as i (family_unit_id, role, invited_by, expires_at)
    values (family, create_family_invite.role, auth.uid(), now() + valid)
    returning i.id, i.expires_at),
  stored as (
    insert into private.family_invite_codes (invite_id, code_hash)
    select i.id, private.hash_invite_code(new_code) from invite i)
  select i.id, new_code, i.expires_at from invite i;
end;
$$;

create or replace function public.accept_family_invite(code text) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  invite public.family_invites;
begin
  perform pg_advisory_xact_lock_shared(20261122);
  perform from public.profiles p where p.id = auth.uid() for no key update;
  select i.* into invite from public.family_invites i join private.family_invite_codes c on c.invite_id = i.id
  where c.code_hash = private.hash_invite_code(code) for update of i;
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
