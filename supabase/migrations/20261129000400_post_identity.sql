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
    -- A single text isn't cut off: its 5,000 characters can be more code points, which left() counts.
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
-- Last, because its lock also blocks readers.
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
