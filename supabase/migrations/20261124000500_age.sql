-- Children. Below a minimum age, accounts are refused; below a second age, an account is protected: its profile starts as
-- followers only, strangers don't find it in search, suggestions, tags, Discover and For You, and only people whom it follows
-- may comment on its highlights.

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

-- Whether the caller may find a profile without knowing it.
create function private.can_find(profile uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  viewer uuid := auth.uid();
begin
  return private.can_see_profile(profile) and (
    profile = viewer or not private.is_protected(profile)
    or exists (select from public.follows where follower_id = viewer and following_id = profile));
end;
$$;

-- Whether the caller may write to the author of a highlight.
create function private.can_write_to_author(highlight uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  author uuid := (select author_id from public.highlights where id = highlight);
begin
  return author = auth.uid() or not private.is_protected(author)
    or exists (select from public.follows where follower_id = author and following_id = auth.uid());
end;
$$;

create policy comments_protected on public.comments as restrictive for insert to authenticated
  with check (private.can_write_to_author(highlight_id));

-- A score makes a highlight appear in Discover and For You. Like in `000300_discover_scores`, but without protected accounts.
create or replace function private.score_highlight() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  is_hidden boolean := private.is_protected(new.author_id);
begin
  if tg_op = 'INSERT' then
    insert into private.highlight_scores
    values (new.id, case when not is_hidden then private.score_of(new, 0, 0) end);
  else
    update private.highlight_scores s
    set score = case when not is_hidden then private.score_of(new, s.views, s.completions) end
    where s.highlight_id = new.id and s.score is distinct from
      case when not is_hidden then private.score_of(new, s.views, s.completions) end;
  end if;
  return null;
end;
$$;

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
    update private.highlight_scores set score = null
    where highlight_id in (select id from public.highlights where author_id = auth.uid());
  end if;
end;
$$;

revoke all on function
  private.is_protected(uuid), private.can_find(uuid), private.can_write_to_author(uuid)
  from public;
grant execute on function private.can_write_to_author(uuid) to authenticated;
revoke all on function public.age_rules(), public.set_birth_date(date) from public, anon, authenticated, service_role;
grant execute on function public.age_rules() to anon, authenticated, service_role;
grant execute on function public.set_birth_date(date) to authenticated;
