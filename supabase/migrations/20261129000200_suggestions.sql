-- A new account has nothing in common with anyone, so the authors of the best of Discover complete the suggestions. They come after
-- people with something in common, ranked by followers.
create or replace function public.follow_suggestions(max_rows integer default 20) returns setof public.profiles
language sql stable security definer set search_path = ''
as $$
  with me as (
    select p.id, p.team_name from public.profiles p where p.id = auth.uid()
  ), friends as (
    select f.following_id
    from (select f.following_id from public.follows f where f.follower_id = auth.uid() order by f.created_at desc limit 50) f
    where private.can_see_profile(f.following_id)
  ), my_tags as (
    select array_agg(tag) as tags from (
      select distinct tag
      from (select h.tags from public.highlights h where h.author_id = auth.uid() order by h.created_at desc limit 20) mine,
        unnest(mine.tags) as tag
      limit 100) tags
  ), points as (
    select f.following_id as id, 3 as points
    from friends cross join lateral (
      select f.following_id from public.follows f where f.follower_id = friends.following_id limit 50) f
    union all
    (select p.id, 5 from me join public.profiles p
       on private.person_words(p.display_name, p.team_name) @> private.search_words(me.team_name) and p.team_name = me.team_name
     where me.team_name is not null limit 200)
    union all
    select h.author_id, coalesce(h.tags && my_tags.tags, false)::integer
    from (select s.highlight_id from private.highlight_scores s where s.score is not null order by s.score desc limit 200) best
    cross join lateral (select * from public.highlights h where h.id = best.highlight_id offset 0) h
    cross join my_tags
  ), ranked as (
    select p, best.points, p.followers_count, p.id
    from (select points.id, sum(points.points) as points from points group by 1 order by 2 desc, 1 limit 300) best
    cross join lateral (select * from public.profiles p where p.id = best.id offset 0) p
    order by best.points desc, p.followers_count desc, p.id offset 0
  )
  select (ranked.p).*
  from ranked
  where ranked.id <> auth.uid()
    and not exists (select from public.follows f where f.follower_id = auth.uid() and f.following_id = ranked.id)
    and not exists (select from public.follow_requests r where r.requester_id = auth.uid() and r.target_id = ranked.id)
    and private.can_find(ranked.id) and not private.is_muted(ranked.id)
  order by ranked.points desc, ranked.followers_count desc, ranked.id
  limit least(max_rows, 100);
$$;
