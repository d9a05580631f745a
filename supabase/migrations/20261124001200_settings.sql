-- Settings of an account, downloads, and the list of blocked people.

-- Accounts without a row have the defaults.
create table public.user_settings (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  -- What clients preselect for new highlights.
  allow_downloads boolean not null default false,
  share_privacy_level text not null default 'public'
    check (share_privacy_level in ('public', 'followers_only', 'private')),
  push_enabled boolean not null default true,
  -- When the account confirmed who sees its first post. Clients ask until then.
  first_post_confirmed_at timestamptz
);
alter table public.user_settings enable row level security;
revoke all on public.user_settings from anon, authenticated;
-- An upsert writes all its columns, so the ID is granted; the row rules protect it.
grant select, delete on public.user_settings to authenticated;
grant
  insert (user_id, allow_downloads, share_privacy_level, push_enabled, first_post_confirmed_at),
  update (user_id, allow_downloads, share_privacy_level, push_enabled, first_post_confirmed_at)
  on public.user_settings to authenticated;
create policy user_settings_select on public.user_settings for select to authenticated
  using (user_id = (select auth.uid()));
create policy user_settings_insert on public.user_settings for insert to authenticated
  with check (user_id = (select auth.uid()));
create policy user_settings_update on public.user_settings for update to authenticated
  using (user_id = (select auth.uid()));
create policy user_settings_delete on public.user_settings for delete to authenticated
  using (user_id = (select auth.uid()));

-- Whether clients offer the video as a file to others. Only the author changes it.
alter table public.highlights add column allow_downloads boolean not null default false;
grant insert (allow_downloads), update (allow_downloads) on public.highlights to authenticated;

-- Blocked people are invisible, so `user_blocks?select=*,blocked:profiles(*)` has no names for a list to undo. Muted people
-- are visible. Blocking must not reveal a person who is hidden for another reason: then the names are null.
create function public.blocked_people()
returns table (id uuid, username text, display_name text, avatar_url text, created_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select b.blocked_id, p.username, p.display_name, p.avatar_url, b.created_at
  from public.user_blocks b
  left join public.profiles p on p.id = b.blocked_id and p.privacy_level <> 'private' and not private.is_protected(p.id)
    and not exists (select from public.account_deletions d where d.user_id = p.id)
    and not exists (select from public.user_blocks back where back.blocker_id = p.id and back.blocked_id = b.blocker_id)
  where b.blocker_id = auth.uid()
  order by b.created_at desc, b.blocked_id;
$$;

revoke all on function public.blocked_people() from public, anon, authenticated, service_role;
grant execute on function public.blocked_people() to authenticated;
