-- Push notifications: the devices of accounts, and what an Edge Function sends to them.

create table public.device_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  -- APNs: hexadecimal.
  token text not null unique check (token ~ '^[0-9a-f]{64,200}$'),
  environment text not null check (environment in ('production', 'sandbox')),
  updated_at timestamptz not null default now()
);
create index device_tokens_user on public.device_tokens (user_id);
alter table public.device_tokens enable row level security;
revoke all on public.device_tokens from anon, authenticated;
grant select, delete on public.device_tokens to authenticated;
create policy device_tokens_select on public.device_tokens for select to authenticated
  using (user_id = (select auth.uid()));
create policy device_tokens_delete on public.device_tokens for delete to authenticated
  using (user_id = (select auth.uid()));

-- A device belongs to the account that signed in last. At most 20 devices per account; the oldest one is dropped.
create function public.register_device(token text, environment text default 'production') returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- Like `join_writers`, before the first row lock.
  perform pg_advisory_xact_lock_shared(20261122);
  insert into public.device_tokens as d (user_id, token, environment)
  values (auth.uid(), lower(register_device.token), register_device.environment)
  on conflict on constraint device_tokens_token_key do update
  set user_id = excluded.user_id, environment = excluded.environment, updated_at = now();
  delete from public.device_tokens where id in (
    select d.id from public.device_tokens d where d.user_id = auth.uid() order by d.updated_at desc, d.id offset 20);
end;
$$;

alter table public.notifications add column pushed_at timestamptz;
create index notifications_to_push on public.notifications (created_at) where pushed_at is null;

-- Takes notifications of the last hour, and returns one row per device. Each is returned once, so a crash loses it instead of
-- sending it twice. Ignores accounts that don't want pushes, and what the recipient can't see. Takes `max_rows` at a time until
-- there is a result, or nothing more to take; at most 100 times.
create function public.take_pushes(max_rows integer default 200)
returns table (
  token text, environment text, notification_id uuid, kind text, actor_name text, highlight_id uuid, comment_id uuid,
  comment text, unread integer)
language plpgsql security definer set search_path = ''
as $$
declare
  claims text := current_setting('request.jwt.claims', true);
  item public.notifications;
  taken integer;
  has_result boolean := false;
begin
  for round in 1..100 loop
    taken := 0;
    for item in
      update public.notifications n set pushed_at = now()
      where n.id in (
        select o.id from public.notifications o
        where o.pushed_at is null and o.created_at > now() - interval '1 hour' order by o.created_at limit max_rows
        for update skip locked)
      returning n.*
    loop
      taken := taken + 1;
      continue when item.read_at is not null
        or not exists (select from public.device_tokens d where d.user_id = item.user_id)
        or exists (select from public.user_settings s where s.user_id = item.user_id and not s.push_enabled);
      -- As the recipient, for the functions of the row rules.
      perform set_config('request.jwt.claims', json_build_object('sub', item.user_id, 'role', 'authenticated')::text, true);
      continue when not private.can_see_notification(item.actor_id, item.highlight_id);
      return query
      select d.token, d.environment, item.id, item.kind, (
          select p.display_name from public.profiles p where p.id = item.actor_id and not private.is_protected_from_me(p.id)),
        item.highlight_id, item.comment_id, (select left(c.text, 200) from public.comments c where c.id = item.comment_id), badge.unread
      from public.device_tokens d cross join (
        select count(*)::integer as unread from (
          select from public.notifications u
          where u.user_id = item.user_id and u.read_at is null and private.can_see_notification(u.actor_id, u.highlight_id)
          limit 100) u) badge
      where d.user_id = item.user_id;
      has_result := true;
    end loop;
    exit when has_result or taken < max_rows;
  end loop;
  perform set_config('request.jwt.claims', coalesce(claims, ''), true);
end;
$$;

-- After APNs answered that the device has no such app any more.
create function public.drop_device(token text) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from public.device_tokens d where d.token = lower(drop_device.token);
$$;

revoke all on function
  public.register_device(text, text), public.take_pushes(integer), public.drop_device(text)
  from public, anon, authenticated, service_role;
grant execute on function public.register_device(text, text) to authenticated;
grant execute on function public.take_pushes(integer), public.drop_device(text) to service_role;
