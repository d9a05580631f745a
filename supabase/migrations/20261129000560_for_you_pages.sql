-- Like before, but with the time of the first page, `liked_before`, which all pages pass: the people who agree and what is left
-- out don't depend on later likes. Highlights that were liked on the first page left the list, so that the second page, which
-- begins after a number of rows, omitted as many others. Scores can still change between
-- pages.
drop function public.for_you(integer, integer);
create function public.for_you(max_rows integer default 20, skip_rows integer default 0, liked_before timestamptz default null)
returns setof public.highlights
language sql stable security definer set search_path = ''
as $$
  with mine as (
    select l.highlight_id
    from (
      select l.highlight_id from public.likes l
      where l.user_id = auth.uid() and l.created_at < coalesce(liked_before, 'infinity')
      order by l.created_at desc limit 20) l
    join public.highlights h on h.id = l.highlight_id and not h.hide_likes
  ), alike as (
    select most.user_id, most.number
    from (
      select l.user_id, count(*) as number
      from mine cross join lateral (
        select l.user_id from public.likes l
        where l.highlight_id = mine.highlight_id and l.created_at < coalesce(liked_before, 'infinity')
        order by l.created_at desc limit 20) l
      where l.user_id <> auth.uid() group by 1 order by 2 desc, 1 limit 40) most
    where private.can_see_profile(most.user_id)
  ), liked as (
    select l.highlight_id, sum(alike.number) as weight
    from alike cross join lateral (
      select l.highlight_id from public.likes l
      where l.user_id = alike.user_id and l.created_at < coalesce(liked_before, 'infinity')
      order by l.created_at desc limit 15) l
    join public.highlights h on h.id = l.highlight_id and not h.hide_likes
    group by 1
    union all
    select best.highlight_id, 0 from (
      select s.highlight_id from private.highlight_scores s
      where s.score > private.score_of_time(now() - interval '30 days')
      order by s.score desc, s.highlight_id limit 200) best
  ), ranked as (
    select s.highlight_id, s.score + 2 * ln(1 + best.weight::double precision) as score
    from (select liked.highlight_id, sum(liked.weight) as weight from liked group by 1) best
    cross join lateral (select * from private.highlight_scores s where s.highlight_id = best.highlight_id offset 0) s
    where s.score is not null
    order by 2 desc, 1 offset 0
  )
  select h.*
  from ranked cross join lateral (select * from public.highlights h where h.id = ranked.highlight_id offset 0) h
  where h.author_id <> auth.uid()
    and not exists (
      select from public.likes l
      where l.user_id = auth.uid() and l.highlight_id = h.id and l.created_at < coalesce(liked_before, 'infinity'))
    and private.can_see_highlight(h.author_id, h.privacy_level, h.is_ready) and not private.is_muted(h.author_id)
    and not private.is_protected_from_me(h.author_id)
  order by ranked.score desc, ranked.highlight_id
  limit least(max_rows, 100) offset skip_rows;
$$;

revoke all on function public.for_you(integer, integer, timestamptz) from public, anon, authenticated, service_role;
grant execute on function public.for_you(integer, integer, timestamptz) to authenticated;
