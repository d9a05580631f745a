-- Discover from stored scores. `discover_highlights` scored all public highlights of 30 days for each page: 198 ms for 20,000
-- users.

-- The logarithm of what people did with a highlight, plus the time of posting in units of 12 hours: after 12 hours, a
-- highlight needs 2.7 times as many points for the same place. This order doesn't change as time passes, so only events
-- change a score. The logarithm is rounded to steps of a tenth: a popular highlight is written once per ten percent.
create table private.highlight_scores (
  highlight_id uuid primary key references public.highlights (id) on delete cascade,
  -- Null if the highlight isn't public, or not ready.
  score double precision,
  views integer not null default 0 check (views >= 0),
  completions integer not null default 0 check (completions >= 0)
);
create index highlight_scores_best on private.highlight_scores (score desc, highlight_id) where score is not null;
alter table private.highlight_scores enable row level security;

-- The lowest score of a highlight of this time: that of one without likes.
create function private.score_of_time(posted timestamptz) returns double precision
language sql immutable parallel safe
as $$
  select extract(epoch from posted)::double precision / 43200;
$$;

-- Views count less than likes, because they cost nothing.
create function private.score_of(highlight public.highlights, views integer, completions integer) returns double precision
language sql immutable parallel safe
as $$
  select case when highlight.privacy_level = 'public' and highlight.is_ready then
    round(
      ln(1 + highlight.likes_count + 2 * highlight.comments_count + views / 20.0::double precision + completions / 10.0::double precision)
        ::numeric, 1)
      + private.score_of_time(highlight.created_at) end;
$$;

-- Highlights of protected accounts have no score.
create function private.score_highlight() returns trigger
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

create trigger score_new after insert on public.highlights
  for each row execute function private.score_highlight();
create trigger score_changed
  after update of likes_count, comments_count, privacy_level, is_ready, created_at on public.highlights
  for each row execute function private.score_highlight();
insert into private.highlight_scores select h.id, private.score_of(h, 0, 0) from public.highlights h;

-- Highlights of the last 30 days, the best first.
create or replace function public.discover_highlights(max_rows integer default 20, skip_rows integer default 0)
returns setof public.highlights
language sql stable security definer set search_path = ''
as $$
  select h.*
  from (
    select s.highlight_id, s.score from private.highlight_scores s
    where s.score > private.score_of_time(now() - interval '30 days')
    order by s.score desc, s.highlight_id offset 0) s
  cross join lateral (select * from public.highlights h where h.id = s.highlight_id offset 0) h
  where h.created_at > now() - interval '30 days'
    and private.can_see_highlight(h.author_id, h.privacy_level, h.is_ready) and not private.is_muted(h.author_id)
    and not private.is_protected_from_me(h.author_id)
  order by s.score desc, s.highlight_id
  limit least(max_rows, 100) offset skip_rows;
$$;

revoke all on function
  private.score_of_time(timestamptz), private.score_of(public.highlights, integer, integer), private.score_highlight()
  from public;
