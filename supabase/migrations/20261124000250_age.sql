-- Children. Below a minimum age, accounts are refused; below a second age, an account is protected: its profile starts as
-- followers only, strangers don't find it in the feed, search, suggestions, tags, Discover and For You, and only people whom
-- it follows may comment on its highlights.

-- One row with the two ages. Without it, the defaults apply.
create table private.age_rules (
  is_only boolean primary key default true check (is_only),
  minimum_age integer not null default 13 check (minimum_age between 0 and 21),
  protected_until integer not null default 18 check (protected_until between 0 and 21)
);
insert into private.age_rules default values;

-- Set once by the account. No client can read it. Accounts without a date are not protected.
create table private.birth_dates (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  born date not null,
  created_at timestamptz not null default now()
);
alter table private.age_rules enable row level security;
alter table private.birth_dates enable row level security;

-- For clients, which ask for the date: {"minimum_age": 13, "protected_until": 18}.
create function public.age_rules() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('minimum_age', coalesce(max(minimum_age), 13), 'protected_until', coalesce(max(protected_until), 18))
  from private.age_rules;
$$;

create function private.is_protected(profile uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  born date := (select b.born from private.birth_dates b where b.user_id = profile);
begin
  if born is null then return false; end if;
  return born > current_date - make_interval(years => (public.age_rules() ->> 'protected_until')::integer);
end;
$$;

-- Whether a profile is protected from the caller: a stranger.
create function private.is_protected_from_me(profile uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.is_protected(profile) and profile is distinct from auth.uid() and not exists (
    select from public.follows where follower_id = auth.uid() and following_id = profile);
end;
$$;

-- Whether the caller may find a profile without knowing it.
create function private.can_find(profile uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.can_see_profile(profile) and not private.is_protected_from_me(profile);
end;
$$;

-- Whether a person may write to another one, in a comment or a mention.
create function private.can_write_to(person uuid, writer uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return person = writer or not private.is_protected(person)
    or exists (select from public.follows where follower_id = person and following_id = writer);
end;
$$;

-- Whether the caller may write to the author of a highlight.
create function private.can_write_to_author(highlight uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.can_write_to((select author_id from public.highlights where id = highlight), auth.uid());
end;
$$;

-- Like in `20261122001300_feeds`, but without protected accounts.
create or replace function public.feed() returns setof public.highlights
language sql stable
as $$
  select * from public.highlights where not private.is_muted(author_id) and not private.is_protected_from_me(author_id);
$$;

create policy comments_protected on public.comments as restrictive for insert to authenticated
  with check (private.can_write_to_author(highlight_id));

-- Sets the caller's date of birth, once. PT403: too young for an account; PT409: already set.
create function public.set_birth_date(born date) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if born is null or born > current_date or born < current_date - interval '120 years' then
    raise check_violation using message = 'not a date of birth';
  end if;
  if born > current_date - make_interval(years => (public.age_rules() ->> 'minimum_age')::integer) then
    raise sqlstate 'PT403' using message = 'too young for an account';
  end if;
  -- Like `join_writers`, before the first row lock.
  perform pg_advisory_xact_lock_shared(20261122);
  insert into private.birth_dates (user_id, born) values (auth.uid(), set_birth_date.born) on conflict do nothing;
  if not found then
    raise sqlstate 'PT409' using message = 'the date of birth is already set';
  end if;
  if private.is_protected(auth.uid()) then
    update public.profiles set privacy_level = 'followers_only' where id = auth.uid() and privacy_level = 'public';
    -- In the order of `aggregate_views`.
    perform from private.highlight_scores
    where highlight_id in (select id from public.highlights where author_id = auth.uid()) order by highlight_id for update;
    update private.highlight_scores set score = null
    where highlight_id in (select id from public.highlights where author_id = auth.uid());
  end if;
end;
$$;

revoke all on function
  private.is_protected(uuid), private.is_protected_from_me(uuid), private.can_find(uuid),
  private.can_write_to(uuid, uuid), private.can_write_to_author(uuid)
  from public;
grant execute on function private.is_protected_from_me(uuid) to anon, authenticated, service_role;
grant execute on function private.can_write_to_author(uuid) to authenticated;
revoke all on function public.age_rules(), public.set_birth_date(date) from public, anon, authenticated, service_role;
grant execute on function public.age_rules() to anon, authenticated, service_role;
grant execute on function public.set_birth_date(date) to authenticated;
