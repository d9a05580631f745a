-- The figures of recruiting. They run with the caller's rights, so that others' rows are not counted.

-- The statistics of the posts of a family, or of one coach.
create function public.post_statistics(family uuid, coach uuid default null)
returns table (total bigint, twitter bigint, instagram bigint, flagged bigint)
language sql stable
as $$
  select count(*), count(*) filter (where p.platform = 'twitter'), count(*) filter (where p.platform = 'instagram'),
    count(*) filter (where p.flagged_for_review)
  from public.social_media_posts p
  where p.family_unit_id = family and (coach is null or p.coach_id = coach);
$$;

-- All figures of the analytics page. `days` counts calendar days in the time zone until today; null means all posts, with
-- the last 30 days as bars, and at most 366 are counted. Shares are rounded percentages, of all posts or of the analyzed
-- ones, and 0 of nothing.
create function public.social_analytics(family uuid, days integer default 30, time_zone text default 'UTC') returns jsonb
language sql stable
as $$
  with today as (
    select (now() at time zone time_zone)::date as day, case when days is not null then least(greatest(days, 1), 366) end as days
  ), bounds as (
    select t.day, coalesce(t.days, 30) as bars,
      (t.day - coalesce(t.days, 30) + 1)::timestamp at time zone time_zone as chart_start,
      case when t.days is not null then (t.day - t.days + 1)::timestamp at time zone time_zone else '-infinity' end as start,
      case when t.days is not null then (t.day + 1)::timestamp at time zone time_zone else 'infinity' end as finish
    from today t
  ), chosen as materialized (
    select p.id, p.school_id, p.platform, p.post_date, p.is_recruiting_related, p.sentiment,
      case when p.post_date >= b.chart_start then (p.post_date at time zone time_zone)::date end as day
    from public.social_media_posts p, bounds b
    where p.family_unit_id = family and p.post_date >= b.start and p.post_date < b.finish
  ), totals as (
    select count(*) as total, count(*) filter (where is_recruiting_related) as recruiting,
      count(sentiment) as analyzed, count(*) filter (where sentiment in ('positive', 'very_positive')) as positive,
      count(distinct school_id) as schools, count(*) filter (where platform = 'twitter') as twitter,
      count(*) filter (where platform = 'instagram') as instagram
    from chosen
  ), by_day as (
    select c.day, count(*) as number from chosen c where c.day is not null group by c.day
  ), bars as (
    select d.day::date as day, coalesce(n.number, 0) as number
    from bounds b, generate_series(b.day - b.bars + 1, b.day, interval '1 day') as d (day)
    left join by_day n on n.day = d.day::date
  )
  select jsonb_build_object(
    'total', t.total,
    'recruiting', t.recruiting,
    'recruiting_percentage', coalesce(round(100.0 * t.recruiting / nullif(t.total, 0)), 0),
    'analyzed', t.analyzed,
    'positive', t.positive,
    'positive_percentage', coalesce(round(100.0 * t.positive / nullif(t.analyzed, 0)), 0),
    'active_schools', t.schools,
    'platforms', jsonb_build_object('twitter', t.twitter, 'instagram', t.instagram),
    'sentiments', (
      select jsonb_agg(jsonb_build_object('sentiment', s.name, 'count', s.number,
        'percentage', coalesce(round(100.0 * s.number / nullif(t.analyzed, 0)), 0)) order by s.place)
      from (
        select l.name, l.place, count(c.id) as number
        from unnest(array['very_positive', 'positive', 'neutral', 'negative']) with ordinality as l (name, place)
        left join chosen c on c.sentiment = l.name group by l.name, l.place) s),
    'days', (select jsonb_agg(jsonb_build_object('day', b.day, 'count', b.number) order by b.day) from bars b),
    'schools', (
      select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'count', s.number)
        order by s.number desc, s.name collate "C", s.id), '[]')
      from (
        select k.id, k.name, count(*) as number
        from chosen c join public.schools k on k.id = c.school_id
        group by k.id, k.name order by 3 desc, k.name collate "C", k.id limit 5) s),
    'recent', (
      select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'platform', r.platform, 'post_date', r.post_date,
        'author_handle', p.author_handle, 'author_name', p.author_name, 'post_content', left(p.post_content, 500),
        'post_url', p.post_url) order by r.post_date desc, r.id desc), '[]')
      from (
        select c.id, c.platform, c.post_date from chosen c where c.is_recruiting_related
        order by c.post_date desc, c.id desc limit 5) r
      join public.social_media_posts p on p.id = r.id))
  from totals t;
$$;

-- The figures above the list of interactions, over those that match all given filters. Like in the list, an athlete's own
-- interactions are counted, and all of the family for a parent. Days are calendar days back from now in the time zone.
create function public.interaction_figures(
  family uuid, search text default null, type text default null, direction text default null, sentiment text default null,
  days integer default null, logged_by uuid default null, time_zone text default 'UTC'
) returns table (total bigint, outbound bigint, inbound bigint, this_week bigint)
language sql stable
as $$
  select count(*), count(*) filter (where i.direction = 'outbound'), count(*) filter (where i.direction = 'inbound'),
    count(*) filter (where i.display_at >= ((now() at time zone time_zone) - interval '7 days') at time zone time_zone)
  from public.interactions i
  where i.family_unit_id = family
    and (nullif(btrim(search), '') is null or strpos(lower(concat_ws(E'\n', i.subject, i.content)), lower(btrim(search))) > 0)
    and (interaction_figures.type is null or i.type = interaction_figures.type)
    and (interaction_figures.direction is null or i.direction = interaction_figures.direction)
    and (interaction_figures.sentiment is null or i.sentiment = interaction_figures.sentiment)
    and (days is null
      or i.display_at >= ((now() at time zone time_zone) - make_interval(days => days)) at time zone time_zone)
    and (interaction_figures.logged_by is null or i.logged_by = interaction_figures.logged_by);
$$;

revoke all on function
  public.post_statistics(uuid, uuid), public.social_analytics(uuid, integer, text),
  public.interaction_figures(uuid, text, text, text, text, integer, uuid, text)
  from public, anon, authenticated, service_role;
grant execute on function
  public.post_statistics(uuid, uuid), public.social_analytics(uuid, integer, text),
  public.interaction_figures(uuid, text, text, text, text, integer, uuid, text)
  to authenticated;
