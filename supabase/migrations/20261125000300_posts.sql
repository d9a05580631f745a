-- Posts of coaches and programs on X and Instagram, how they are added, and notices of new ones.

-- The address of a post in one form, so that a post exists once: null if it isn't the address of a post on the platform.
create function private.clean_post_url(platform text, url text) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  parts text[];
begin
  if platform = 'twitter' then
    parts := regexp_match(url,
      '^https?://(?:(?:www|mobile|m)\.)?(?:twitter|x)\.com/(?:i/web|([a-z0-9_]{1,15}))/status/([0-9]{1,20})/?(?:[?#].*)?$', 'i');
    return 'https://twitter.com/' || coalesce(lower(parts[1]), 'i') || '/status/' || parts[2];
  end if;
  parts := regexp_match(url,
    '^https?://(?:www\.)?instagram\.com/(?:[a-z0-9._]{1,30}/)?(?:p|reel|tv)/([a-z0-9_-]{1,64})/?(?:[?#].*)?$', 'i');
  return 'https://instagram.com/p/' || parts[1];
end;
$$;

create table public.social_media_posts (
  id uuid primary key default gen_random_uuid(),
  family_unit_id uuid not null references public.family_units (id) on delete cascade,
  coach_id uuid,
  school_id uuid,
  platform text not null check (platform in ('twitter', 'instagram')),
  post_url text not null,
  -- Untrusted text.
  post_content text not null check (char_length(post_content) <= 100000),
  post_date timestamptz not null check (private.is_time(post_date)),
  author_handle text not null,
  author_name text not null check (char_length(author_name) between 1 and 200),
  is_recruiting_related boolean not null default false,
  -- The flag and the notes belong to the family.
  flagged_for_review boolean not null default false,
  -- Null if it was not analyzed.
  sentiment text check (sentiment in ('very_positive', 'positive', 'neutral', 'negative')),
  notes text check (private.fits(notes, 5000)),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Several families follow one coach.
  unique (family_unit_id, post_url),
  check (coalesce(post_url = private.clean_post_url(platform, post_url), false)),
  check (private.is_handle(platform, author_handle)),
  foreign key (coach_id, family_unit_id) references public.coaches (id, family_unit_id) on delete set null (coach_id),
  foreign key (school_id, family_unit_id) references public.schools (id, family_unit_id) on delete set null (school_id)
);
create index social_media_posts_newest on public.social_media_posts (family_unit_id, post_date desc, id desc);
create index social_media_posts_coach on public.social_media_posts (coach_id, family_unit_id, post_date desc);
create index social_media_posts_school on public.social_media_posts (school_id, family_unit_id);
create index social_media_posts_flagged on public.social_media_posts (family_unit_id, post_date desc)
  where flagged_for_review;

-- Deleted posts, which the next sync must not add again.
create table public.dismissed_posts (
  family_unit_id uuid not null references public.family_units (id) on delete cascade,
  post_url text not null,
  dismissed_at timestamptz not null default now(),
  primary key (family_unit_id, post_url)
);

-- New posts that a member has not seen, per coach. Further posts are added to an unread notice.
create table public.post_notices (
  id uuid primary key default gen_random_uuid(),
  family_unit_id uuid not null,
  user_id uuid not null,
  coach_id uuid,
  post_count integer not null check (post_count > 0),
  recruiting_count integer not null check (recruiting_count between 0 and post_count),
  newest_post_date timestamptz not null,
  created_at timestamptz not null default now(),
  read_at timestamptz check (private.is_time(read_at)),
  -- A removed member loses them.
  foreign key (family_unit_id, user_id) references public.family_members (family_unit_id, user_id) on delete cascade,
  foreign key (coach_id, family_unit_id) references public.coaches (id, family_unit_id) on delete cascade
);
create unique index post_notices_unread on public.post_notices (user_id, family_unit_id, coach_id) nulls not distinct
  where read_at is null;
create index post_notices_member on public.post_notices (family_unit_id, user_id, created_at desc);
create index post_notices_coach on public.post_notices (coach_id, family_unit_id);

-- The state of the sync: the newest post that was read of each handle, and the time of the last sync of a family.
create table private.social_cursors (
  family_unit_id uuid not null references public.family_units (id) on delete cascade,
  platform text not null check (platform in ('twitter', 'instagram')),
  handle text not null,
  -- The platform's ID of the account.
  external_id text check (char_length(external_id) between 1 and 64),
  -- The newest post that was read.
  since_id text check (char_length(since_id) between 1 and 64),
  last_synced_at timestamptz,
  last_error text check (char_length(last_error) between 1 and 500),
  primary key (family_unit_id, platform, handle),
  check (private.is_handle(platform, handle) and handle = lower(handle))
);
create table private.social_syncs (
  family_unit_id uuid primary key references public.family_units (id) on delete cascade,
  started_at timestamptz not null,
  -- Null while it runs. A sync that has not ended after ten minutes was killed.
  finished_at timestamptz
);

alter table public.social_media_posts enable row level security;
alter table public.dismissed_posts enable row level security;
alter table public.post_notices enable row level security;
alter table private.social_cursors enable row level security;
alter table private.social_syncs enable row level security;
revoke all on public.social_media_posts, public.dismissed_posts, public.post_notices from anon, authenticated;
grant select, update (flagged_for_review, notes), delete on public.social_media_posts to authenticated;
grant select on public.dismissed_posts to authenticated;
grant select, update (read_at), delete on public.post_notices to authenticated;

create policy social_media_posts_select on public.social_media_posts for select to authenticated
  using (family_unit_id in (select private.my_families()));
create policy social_media_posts_update on public.social_media_posts for update to authenticated
  using (family_unit_id in (select private.my_families()));
create policy social_media_posts_delete on public.social_media_posts for delete to authenticated
  using (family_unit_id in (select private.my_families()));
create policy dismissed_posts_select on public.dismissed_posts for select to authenticated
  using (family_unit_id in (select private.my_families()));
create policy post_notices_select on public.post_notices for select to authenticated
  using (user_id = (select auth.uid()));
create policy post_notices_update on public.post_notices for update to authenticated
  using (user_id = (select auth.uid()));
create policy post_notices_delete on public.post_notices for delete to authenticated
  using (user_id = (select auth.uid()));

create trigger set_updated_at before update on public.social_media_posts
  for each row execute function private.set_updated_at();
create trigger join_writers before update or delete on public.social_media_posts
  for each statement execute function private.join_writers();

-- Not when the family is deleted: then its row no longer exists.
create function private.dismiss_posts() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.dismissed_posts (family_unit_id, post_url)
  select g.family_unit_id, g.post_url from gone g
  where exists (select from public.family_units f where f.id = g.family_unit_id)
  order by 1, 2
  on conflict do nothing;
  return null;
end;
$$;
create trigger dismiss after delete on public.social_media_posts referencing old table as gone
  for each statement execute function private.dismiss_posts();

-- The time that a JSON value contains, or null.
create function private.time_of(value jsonb) returns timestamptz
language plpgsql stable set search_path = ''
as $$
begin
  if jsonb_typeof(value) <> 'string' or value #>> '{}' !~ '^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$' then return null; end if;
  return case when private.is_time((value #>> '{}')::timestamptz) then (value #>> '{}')::timestamptz end;
exception when data_exception then
  return null;
end;
$$;

-- Why a post can't be stored, or null.
create function private.post_problem(post jsonb) returns text
language sql stable
as $$
  select case
    when jsonb_typeof(post) is distinct from 'object' then 'not an object'
    when coalesce(post ->> 'platform', '') not in ('twitter', 'instagram') then 'platform'
    when private.clean_post_url(post ->> 'platform', post ->> 'post_url') is null then 'post_url'
    when jsonb_typeof(post -> 'post_content') is distinct from 'string' or char_length(post ->> 'post_content') > 100000
      then 'post_content'
    when private.time_of(post -> 'post_date') is null then 'post_date'
    when not coalesce(private.is_handle(post ->> 'platform',
      private.clean_handle(post ->> 'platform', post ->> 'author_handle')), false) then 'author_handle'
    when char_length(coalesce(nullif(post ->> 'author_name', ''), 'x')) > 200 then 'author_name'
    when jsonb_typeof(coalesce(post -> 'is_recruiting_related', 'false')) <> 'boolean' then 'is_recruiting_related'
    when coalesce(post ->> 'sentiment', 'neutral') not in ('very_positive', 'positive', 'neutral', 'negative')
      then 'sentiment'
  end;
$$;

-- Adds posts to a family, or changes those whose text was edited. Flags and notes stay, and dismissed posts are left out.
-- The coach and the school are those with the author's handle. At most 1,000 posts per call. Returns how many were added,
-- changed, unchanged and dismissed, and the invalid ones as {"index": 0, "field": "post_url"}.
create function public.ingest_posts(family uuid, posts jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  invalid jsonb;
  dismissed integer;
  valid integer;
  added integer;
  changed integer;
begin
  -- Like `join_writers`, before the first row lock.
  perform pg_advisory_xact_lock_shared(20261122);
  perform private.require_family(family);
  if jsonb_typeof(posts) is distinct from 'array' or jsonb_array_length(posts) > 1000 then
    raise check_violation using message = 'posts must be a list of at most 1000 posts';
  end if;
  select coalesce(jsonb_agg(jsonb_build_object('index', p.number - 1, 'field', private.post_problem(p.post)) order by p.number)
    filter (where private.post_problem(p.post) is not null), '[]')
  into invalid from jsonb_array_elements(posts) with ordinality as p (post, number);

  -- One row per address: the last one wins. In the order of the addresses, so that two calls don't wait for each other.
  with usable as (
    select distinct on (url) private.clean_post_url(p.post ->> 'platform', p.post ->> 'post_url') as url, p.post,
      private.clean_handle(p.post ->> 'platform', p.post ->> 'author_handle') as handle
    from jsonb_array_elements(posts) with ordinality as p (post, number)
    where private.post_problem(p.post) is null
    order by url, p.number desc
  ), wanted as (
    select u.* from usable u where not exists (
      select from public.dismissed_posts d where d.family_unit_id = family and d.post_url = u.url)
  ), stored as (
    insert into public.social_media_posts as s (
      family_unit_id, coach_id, school_id, platform, post_url, post_content, post_date, author_handle, author_name,
      is_recruiting_related, sentiment)
    select family, c.id, coalesce(c.school_id, h.id), w.post ->> 'platform', w.url, w.post ->> 'post_content',
      private.time_of(w.post -> 'post_date'), w.handle, coalesce(nullif(w.post ->> 'author_name', ''), w.handle),
      coalesce((w.post ->> 'is_recruiting_related')::boolean, false), w.post ->> 'sentiment'
    from wanted w
    left join lateral (
      select k.id, k.school_id from public.coaches k
      where k.family_unit_id = family and lower(w.handle) = lower(
        case w.post ->> 'platform' when 'twitter' then k.twitter_handle else k.instagram_handle end)
      order by k.archived_at is not null, k.id limit 1) c on true
    left join lateral (
      select k.id from public.schools k
      where k.family_unit_id = family and lower(w.handle) = lower(
        case w.post ->> 'platform' when 'twitter' then k.twitter_handle else k.instagram_handle end)
      order by k.archived_at is not null, k.id limit 1) h on true
    order by w.url
    on conflict (family_unit_id, post_url) do update set
      post_content = excluded.post_content, author_name = excluded.author_name,
      is_recruiting_related = excluded.is_recruiting_related, sentiment = excluded.sentiment,
      coach_id = coalesce(s.coach_id, excluded.coach_id), school_id = coalesce(s.school_id, excluded.school_id)
    where (s.post_content, s.author_name, s.is_recruiting_related, s.sentiment)
        is distinct from (excluded.post_content, excluded.author_name, excluded.is_recruiting_related, excluded.sentiment)
      or s.coach_id is null and excluded.coach_id is not null or s.school_id is null and excluded.school_id is not null
    returning s.coach_id, s.is_recruiting_related, s.post_date, s.xmax = 0 as is_new
  ), noticed as (
    insert into public.post_notices as n (family_unit_id, user_id, coach_id, post_count, recruiting_count, newest_post_date)
    select family, m.user_id, s.coach_id, count(*), count(*) filter (where s.is_recruiting_related), max(s.post_date)
    from stored s cross join public.family_members m
    where s.is_new and m.family_unit_id = family
    group by m.user_id, s.coach_id
    order by m.user_id, s.coach_id
    on conflict (user_id, family_unit_id, coach_id) where read_at is null do update set
      post_count = n.post_count + excluded.post_count,
      recruiting_count = n.recruiting_count + excluded.recruiting_count,
      newest_post_date = greatest(n.newest_post_date, excluded.newest_post_date), created_at = now()
    returning 1
  )
  select (select count(*) from usable), (select count(*) from usable) - (select count(*) from wanted),
    (select count(*) from stored where is_new), (select count(*) from stored where not is_new)
  into valid, dismissed, added, changed;
  return jsonb_build_object('added', added, 'changed', changed, 'unchanged', valid - dismissed - added - changed,
    'dismissed', dismissed, 'invalid', invalid);
end;
$$;

-- Starts a sync: one per family at a time, and at most one in five minutes. PT429 with the seconds to wait as `hint`.
create function public.begin_sync(family uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  earlier private.social_syncs;
  free_at timestamptz;
begin
  perform pg_advisory_xact_lock_shared(20261122);
  perform private.require_family(family);
  insert into private.social_syncs as s (family_unit_id, started_at) values (family, clock_timestamp())
  on conflict (family_unit_id) do update set started_at = excluded.started_at, finished_at = null
    where s.started_at <= clock_timestamp()
      - case when s.finished_at is null then interval '10 minutes' else interval '5 minutes' end;
  if found then return; end if;
  select * into earlier from private.social_syncs s where s.family_unit_id = family;
  free_at := earlier.started_at + case when earlier.finished_at is null then interval '10 minutes' else interval '5 minutes' end;
  raise sqlstate 'PT429' using message = 'please wait a few minutes before syncing again',
    hint = greatest(1, ceil(extract(epoch from free_at - clock_timestamp())))::integer::text;
end;
$$;

create function public.finish_sync(family uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock_shared(20261122);
  perform private.require_family(family);
  update private.social_syncs s set finished_at = clock_timestamp() where s.family_unit_id = family and s.finished_at is null;
end;
$$;

-- The handles of the coaches and schools that are not archived, with their state.
create function public.sync_handles(family uuid)
returns table (platform text, handle text, external_id text, since_id text, last_synced_at timestamptz, last_error text)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_family(family);
  return query
  select h.platform, h.handle, c.external_id, c.since_id, c.last_synced_at, c.last_error
  from (
    select 'twitter' as platform, lower(k.twitter_handle) as handle from public.coaches k
    where k.family_unit_id = family and k.archived_at is null
    union select 'instagram', lower(k.instagram_handle) from public.coaches k
    where k.family_unit_id = family and k.archived_at is null
    union select 'twitter', lower(k.twitter_handle) from public.schools k
    where k.family_unit_id = family and k.archived_at is null
    union select 'instagram', lower(k.instagram_handle) from public.schools k
    where k.family_unit_id = family and k.archived_at is null) h
  left join private.social_cursors c
    on c.family_unit_id = family and c.platform = h.platform and c.handle = h.handle
  where h.handle is not null
  order by h.platform, h.handle;
end;
$$;

-- Stores the state of a handle after a sync. A failure keeps `since_id`, so that the next sync reads the same posts.
create function public.save_sync_state(
  family uuid, platform text, handle text, external_id text default null, since_id text default null, error text default null
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock_shared(20261122);
  perform private.require_family(family);
  insert into private.social_cursors as c (family_unit_id, platform, handle, external_id, since_id, last_synced_at, last_error)
  values (family, save_sync_state.platform, lower(private.clean_handle(save_sync_state.platform, save_sync_state.handle)),
    save_sync_state.external_id, save_sync_state.since_id, now(), left(error, 500))
  on conflict on constraint social_cursors_pkey do update set
    external_id = coalesce(excluded.external_id, c.external_id), since_id = coalesce(excluded.since_id, c.since_id),
    last_synced_at = excluded.last_synced_at, last_error = excluded.last_error;
end;
$$;

revoke all on function
  private.clean_post_url(text, text), private.dismiss_posts(), private.time_of(jsonb), private.post_problem(jsonb)
  from public;
-- Check constraints are evaluated with the writer's rights.
grant execute on function private.clean_post_url(text, text) to authenticated, service_role;
revoke all on function
  public.ingest_posts(uuid, jsonb), public.begin_sync(uuid), public.finish_sync(uuid), public.sync_handles(uuid),
  public.save_sync_state(uuid, text, text, text, text, text)
  from public, anon, authenticated, service_role;
grant execute on function
  public.ingest_posts(uuid, jsonb), public.begin_sync(uuid), public.finish_sync(uuid), public.sync_handles(uuid),
  public.save_sync_state(uuid, text, text, text, text, text)
  to authenticated;
