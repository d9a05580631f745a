-- The watch time of views that continue after they were counted. Such a view added its complete playback again when it
-- reached its end, and nothing before that.

-- The part of `watched` that the sums contain.
alter table private.view_events add column counted_seconds real not null default 0;

-- Like before, but a playback also continues after its completion was counted.
create or replace function public.record_view(highlight uuid, watched double precision) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  target public.highlights;
  key text;
begin
  select * into target from public.highlights h where h.id = highlight;
  if target.id is null or target.author_id is not distinct from auth.uid()
    or not private.can_see_highlight(target.author_id, target.privacy_level, target.is_ready)
    or watched is null or not watched between 1 and 36000
  then
    return;
  end if;
  key := private.viewer_key();
  if 600 <= (select count(*) from private.view_events e where e.viewer = key and e.hour > now() - interval '1 hour') then
    return;
  end if;
  insert into private.view_events as e (highlight_id, viewer, watched, completed)
  values (target.id, key, least(watched, target.duration), coalesce(watched >= 0.9 * target.duration, false))
  on conflict (highlight_id, viewer, hour) do update
  set watched = greatest(e.watched, excluded.watched), completed = e.completed or excluded.completed
  where e.watched < excluded.watched;
end;
$$;

-- For a schedule: adds new views, and what was added to counted ones, to the sums and to the scores of Discover. Returns the
-- number of events.
create or replace function public.aggregate_views(max_rows integer default 20000) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  number integer;
begin
  -- Like `join_writers`, before the first row lock. One schedule at a time, in the order of the highlights.
  perform pg_advisory_xact_lock_shared(20261122);
  perform pg_advisory_xact_lock(20261124);
  create temporary table new_views on commit drop as
  with fresh as (
    select e.highlight_id, e.viewer, e.hour, e.is_view_counted, e.is_completion_counted, e.counted_seconds
    from private.view_events e
    where e.counted_seconds < e.watched or e.completed and not e.is_completion_counted
    order by e.highlight_id limit max_rows for update
  ), counted as (
    update private.view_events e
    set is_view_counted = true, is_completion_counted = e.completed, counted_seconds = e.watched
    from fresh f where (e.highlight_id, e.viewer, e.hour) = (f.highlight_id, f.viewer, f.hour)
    returning e.highlight_id, e.hour, not f.is_view_counted as is_view,
      e.completed and not f.is_completion_counted as is_completion,
      e.watched::double precision - f.counted_seconds as watched
  )
  select c.highlight_id, c.hour::date as day, count(*) as events, count(*) filter (where c.is_view) as views,
    count(*) filter (where c.is_completion) as completions, sum(c.watched) as watched
  from counted c join public.highlights h on h.id = c.highlight_id
  group by 1, 2;
  insert into public.highlight_stats as s (highlight_id, day, views, completions, watched_seconds)
  select n.highlight_id, n.day, n.views, n.completions, n.watched from pg_temp.new_views n order by 1, 2
  on conflict (highlight_id, day) do update set
    views = s.views + excluded.views, completions = s.completions + excluded.completions,
    watched_seconds = s.watched_seconds + excluded.watched_seconds;
  perform from private.highlight_scores s where s.highlight_id in (select n.highlight_id from pg_temp.new_views n)
  order by s.highlight_id for update;
  update private.highlight_scores s set
    views = s.views + n.views, completions = s.completions + n.completions,
    score = case when s.score is not null then
      private.score_of(h, s.views + n.views::integer, s.completions + n.completions::integer) end
  from (
    select v.highlight_id, sum(v.views)::integer as views, sum(v.completions)::integer as completions
    from pg_temp.new_views v group by 1) n
  join public.highlights h on h.id = n.highlight_id
  where s.highlight_id = n.highlight_id;
  select coalesce(sum(n.events), 0) into number from pg_temp.new_views n;
  drop table pg_temp.new_views;
  delete from private.view_events e where e.hour < now() - interval '2 days';
  delete from private.view_salts s where s.day < current_date - 1;
  return number;
end;
$$;

-- It isn't known how much of the views so far was counted before they continued.
update private.view_events e set counted_seconds = e.watched where e.is_view_counted;

drop index private.view_events_new;
create index view_events_new on private.view_events (highlight_id)
  where counted_seconds < watched or completed and not is_completion_counted;
