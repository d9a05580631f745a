-- Views: players report them, a schedule adds them up, and only the author sees the sums.

-- One row per highlight, viewer and hour: repeated playback counts once. Kept for two days. Without foreign keys, because
-- each view would lock its highlight.
create table private.view_events (
  highlight_id uuid not null,
  -- The account, or a hash of a visitor's address that can't be reversed after a day.
  viewer text not null,
  hour timestamptz not null default date_trunc('hour', now()),
  -- The longest playback in seconds, and whether it reached the last tenth.
  watched real not null,
  completed boolean not null,
  is_view_counted boolean not null default false,
  is_completion_counted boolean not null default false,
  primary key (highlight_id, viewer, hour)
);
create index view_events_viewer on private.view_events (viewer, hour);
create index view_events_hour on private.view_events (hour);
create index view_events_new on private.view_events (highlight_id)
  where not is_view_counted or completed and not is_completion_counted;

-- The secret part of the hashes of a day.
create table private.view_salts (
  day date primary key,
  salt text not null default gen_random_uuid()::text
);
alter table private.view_events enable row level security;
alter table private.view_salts enable row level security;

create table public.highlight_stats (
  highlight_id uuid not null references public.highlights (id) on delete cascade,
  day date not null,
  views integer not null default 0,
  completions integer not null default 0,
  watched_seconds double precision not null default 0,
  primary key (highlight_id, day)
);
alter table public.highlight_stats enable row level security;
revoke all on public.highlight_stats from anon, authenticated;
grant select on public.highlight_stats to authenticated;
create policy highlight_stats_select on public.highlight_stats for select to authenticated
  using (exists (
    select from public.highlights h where h.id = highlight_id and h.author_id = (select auth.uid())));

-- A viewer's key. Visitors are distinguished by address; several with the same one count as one. A visitor can send
-- `x-forwarded-for`, and proxies append to it, so only its last address counts, and only without Cloudflare's header, which
-- overwrites the visitor's. UNVERIFIED with a real project. Of IPv6, half of the address belongs to one visitor.
create function private.viewer_key() returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  headers jsonb := coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb;
  address text := coalesce(headers ->> 'cf-connecting-ip', btrim(split_part(headers ->> 'x-forwarded-for', ',', -1)), '');
begin
  if auth.uid() is not null then return auth.uid()::text; end if;
  begin
    address := host(network(set_masklen(address::inet, case family(address::inet) when 6 then 64 else 32 end)));
  exception when invalid_text_representation then
    address := '';
  end;
  insert into private.view_salts (day) values (current_date) on conflict do nothing;
  return encode(sha256(convert_to((
    select s.salt || address from private.view_salts s where s.day = current_date), 'UTF8')), 'hex');
end;
$$;

-- Records playback of a highlight, in seconds. Ignores own highlights, invisible ones, and viewers with 600 highlights in
-- the last hour; an error would only reveal that.
create function public.record_view(highlight uuid, watched double precision) returns void
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
  where e.watched < excluded.watched and not e.is_completion_counted;
end;
$$;

-- For a schedule: adds new views to the sums and to the scores of Discover. Returns the number of events.
create function public.aggregate_views(max_rows integer default 20000) returns integer
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
    select e.highlight_id, e.viewer, e.hour, e.is_view_counted from private.view_events e
    where not e.is_view_counted or e.completed and not e.is_completion_counted
    order by e.highlight_id limit max_rows for update
  ), counted as (
    update private.view_events e set is_view_counted = true, is_completion_counted = e.completed
    from fresh f where (e.highlight_id, e.viewer, e.hour) = (f.highlight_id, f.viewer, f.hour)
    returning e.highlight_id, e.hour, e.watched, e.completed, f.is_view_counted
  )
  select c.highlight_id, c.hour::date as day, count(*) as events,
    count(*) filter (where not c.is_view_counted) as views, count(*) filter (where c.completed) as completions,
    sum(c.watched) filter (where c.completed or not c.is_view_counted) as watched
  from counted c join public.highlights h on h.id = c.highlight_id
  group by 1, 2;
  insert into public.highlight_stats as s (highlight_id, day, views, completions, watched_seconds)
  select n.highlight_id, n.day, n.views, n.completions, coalesce(n.watched, 0) from pg_temp.new_views n order by 1, 2
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

-- Creator analytics of the caller's highlights, the newest first. Views and completions of the last days; likes and comments
-- in total. `completion_rate` is null without views.
create function public.creator_analytics(days integer default 30, max_rows integer default 50, skip_rows integer default 0)
returns table (
  highlight_id uuid, caption text, created_at timestamptz, views bigint, completions bigint,
  completion_rate double precision, watched_seconds double precision, likes_count integer, comments_count integer)
language sql stable
as $$
  select h.id, h.caption, h.created_at, s.views, s.completions, s.completions / nullif(s.views, 0)::double precision,
    s.watched, h.likes_count, h.comments_count
  from public.highlights h
  cross join lateral (
    select coalesce(sum(t.views), 0) as views, coalesce(sum(t.completions), 0) as completions,
      coalesce(sum(t.watched_seconds), 0) as watched
    from public.highlight_stats t where t.highlight_id = h.id and t.day > current_date - days) s
  where h.author_id = (select auth.uid())
  order by h.created_at desc, h.id limit least(max_rows, 200) offset skip_rows;
$$;

-- The sums of all of the caller's highlights per day, for days with views.
create function public.creator_analytics_by_day(days integer default 30)
returns table (day date, views bigint, completions bigint, watched_seconds double precision)
language sql stable
as $$
  select t.day, sum(t.views), sum(t.completions), sum(t.watched_seconds)
  from public.highlights h join public.highlight_stats t on t.highlight_id = h.id
  where h.author_id = (select auth.uid()) and t.day > current_date - days
  group by 1 order by 1;
$$;

revoke all on function private.viewer_key() from public;
revoke all on function
  public.record_view(uuid, double precision), public.aggregate_views(integer),
  public.creator_analytics(integer, integer, integer), public.creator_analytics_by_day(integer)
  from public, anon, authenticated, service_role;
grant execute on function public.record_view(uuid, double precision) to anon, authenticated;
grant execute on function
  public.creator_analytics(integer, integer, integer), public.creator_analytics_by_day(integer)
  to authenticated;
grant execute on function public.aggregate_views(integer) to service_role;
