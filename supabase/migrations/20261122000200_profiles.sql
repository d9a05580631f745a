-- One profile per account, created at sign-up.

create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  display_name text not null
    check (display_name ~ '\S' and private.fits(display_name, 50)),
  -- Used as @name: ASCII only, so that no two names look alike. Names like `admin` could be mistaken for the product's.
  username text not null unique
    check (
      username ~ '^[A-Za-z0-9_.]{3,30}$' and username ~ '[A-Za-z0-9]'
      and lower(username) not in ('admin', 'administrator', 'bumpsetcut', 'moderator', 'official', 'root', 'support')),
  avatar_url text check (avatar_url ~ '^https?://' and char_length(avatar_url) <= 2048),
  bio text check (private.fits(bio, 160)),
  team_name text check (private.fits(team_name, 80)),
  followers_count integer not null default 0 check (followers_count >= 0),
  following_count integer not null default 0 check (following_count >= 0),
  highlights_count integer not null default 0 check (highlights_count >= 0),
  privacy_level text not null default 'public' check (privacy_level in ('public', 'followers_only', 'private')),
  created_at timestamptz not null default now()
);

-- `Ann` and `ann` are the same name. The app looks names up as they are written, with the constraint's own index.
create unique index profiles_username_lower on public.profiles (lower(username));

-- No client may write counters, id and created_at, so these columns are not granted. Sign-up inserts the row, and deleting
-- the account deletes it.
alter table public.profiles enable row level security;
revoke all on public.profiles from anon, authenticated;
grant select on public.profiles to anon, authenticated;
grant update (display_name, username, avatar_url, bio, team_name, privacy_level) on public.profiles to authenticated;

-- Sign-up must never fail here: the provider's name is truncated, and a free username is generated. It is random, because likes
-- and comments contain the account's ID, and the username finds protected accounts.
create function private.handle_new_user() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  full_name text := left(btrim(coalesce(
    nullif(btrim(new.raw_user_meta_data ->> 'full_name'), ''), new.raw_user_meta_data ->> 'name', '')), 50);
  hex text := replace(gen_random_uuid()::text, '-', '');
begin
  if full_name !~ '\S' then full_name := 'Volleyball Player'; end if;
  foreach hex in array array[left(hex, 8), left(hex, 16), right(hex, 24)] loop
    insert into public.profiles (id, display_name, username)
    values (new.id, full_name, 'user_' || hex)
    on conflict do nothing;
    exit when found;
  end loop;
  return null;
end;
$$;
revoke all on function private.handle_new_user() from public;

-- A username is unique, so changing it locks the row like a deletion.
create trigger stop_writers before delete or update of username on public.profiles
  for each statement execute function private.stop_writers();

create trigger on_auth_user_created after insert on auth.users
  for each row execute function private.handle_new_user();
