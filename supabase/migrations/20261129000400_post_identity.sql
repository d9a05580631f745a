-- A post is identified by its platform and its ID there. Addresses on X also contain the name of the account, so that a post
-- was stored twice after the account was renamed.
-- Earlier versions stored a post that was edited before they read it under its latest ID. The database doesn't know the first
-- one, so such a post stays as it is, and is added again if it is edited again.

-- No post is added or deleted between the merge and the unique index. A block, because `lock table` requires one outside of a
-- transaction.
do $$
begin
  lock table public.social_media_posts, public.dismissed_posts in share row exclusive mode;
end;
$$;

-- The website and the ID of a post, from an address in the form of `clean_post_url`: `twitter.com/12`.
create or replace function private.post_key(url text) returns text
language sql immutable parallel safe
as $$
  select split_part(url, '/', 3) || '/' || substring(url from '[^/]*$');
$$;
revoke all on function private.post_key(text) from public, anon, authenticated, service_role;
-- The index is evaluated with the writer's rights.
grant execute on function private.post_key(text) to authenticated, service_role;

-- The row that was stored first stays, and gets the flag, the notes, the coach and the school of the others.
create temporary table same_posts as
select n.id, n.first_id
from (
  select s.id, first_value(s.id) over same as first_id,
    count(*) over (partition by s.family_unit_id, private.post_key(s.post_url)) as number
  from public.social_media_posts s
  window same as (partition by s.family_unit_id, private.post_key(s.post_url) order by s.created_at, s.id)) n
where n.number > 1;
update public.social_media_posts s set flagged_for_review = m.flagged_for_review, notes = m.notes, coach_id = m.coach_id,
  school_id = m.school_id
from (
  select t.first_id, bool_or(o.flagged_for_review) as flagged_for_review,
    -- One text fits already, also with more code points than characters.
    case when count(distinct o.notes) = 1 then min(o.notes)
      else left(string_agg(distinct o.notes, E'\n'), 5000) end as notes,
    (array_agg(o.coach_id order by o.created_at, o.id) filter (where o.coach_id is not null))[1] as coach_id,
    (array_agg(o.school_id order by o.created_at, o.id) filter (where o.school_id is not null))[1] as school_id
  from same_posts t join public.social_media_posts o on o.id = t.id
  group by t.first_id) m
where s.id = m.first_id;
delete from public.social_media_posts s using same_posts t where s.id = t.id and t.id <> t.first_id;
drop table same_posts;
-- These deletions, and those of users who removed only one of the rows, don't dismiss the post.
delete from public.dismissed_posts d using public.social_media_posts s
where s.family_unit_id = d.family_unit_id and private.post_key(s.post_url) = private.post_key(d.post_url);

-- The key is first, so that the planner doesn't prefer this index for lists of a family's posts.
create unique index social_media_posts_identity on public.social_media_posts (private.post_key(post_url), family_unit_id);
create index dismissed_posts_identity on public.dismissed_posts (private.post_key(post_url), family_unit_id);
-- Last, because it also locks out readers.
alter table public.social_media_posts drop constraint if exists social_media_posts_family_unit_id_post_url_key;

create or replace function private.remove_dismissed_posts() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.social_media_posts s using fresh f
  where s.id = f.id and exists (
    select from public.dismissed_posts d
    where d.family_unit_id = f.family_unit_id and private.post_key(d.post_url) = private.post_key(f.post_url));
  return null;
end;
$$;

-- Adds posts to a family, or changes those whose text was edited. Flags and notes stay, and dismissed posts are left out.
-- A post keeps the address and the handle with which it was stored first.
-- The coach and the school are those with the author's handle. At most 1,000 posts per call. Returns how many were added,
-- changed, unchanged and dismissed, and the invalid ones as {"index": 0, "field": "post_url"}.
create or replace function public.ingest_posts(family uuid, posts jsonb) returns jsonb
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

  -- One row per post: the last one wins. In the same order, so that two calls don't wait for each other.
  with usable as (
    select distinct on (key) private.post_key(u.url) as key, u.url, p.post,
      private.clean_handle(p.post ->> 'platform', p.post ->> 'author_handle') as handle
    from jsonb_array_elements(posts) with ordinality as p (post, number),
      lateral private.clean_post_url(p.post ->> 'platform', p.post ->> 'post_url') as u (url)
    where private.post_problem(p.post) is null
    order by key, p.number desc
  ), wanted as (
    select u.* from usable u where not exists (
      select from public.dismissed_posts d where d.family_unit_id = family and private.post_key(d.post_url) = u.key)
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
    order by w.key
    on conflict (private.post_key(post_url), family_unit_id) do update set
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
