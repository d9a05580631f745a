-- Counters of popular highlights. Until now each like and comment waited for the highlight's row until the previous
-- transaction had committed, so 32 likes at once took 32 commits.

-- Changes of `likes_count` and `comments_count` that are not added yet, because another transaction had the row. The next
-- like or comment that gets the row adds them, at the latest the next `fold_counters`. That is how far a counter may lag.
-- Without a foreign key, which would lock the highlight again: `forget_changes` deletes the rows of a deleted highlight, and
-- `stop_writers` excludes others during that time.
create table private.count_changes (
  highlight_id uuid not null,
  likes integer not null,
  comments integer not null
)
-- Almost all rows are dead: a vacuum after a share of the table would come too late.
with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index count_changes_highlight on private.count_changes (highlight_id);
alter table private.count_changes enable row level security;

-- Adds the changes to the counters, with those that wait, if no other transaction has the row.
create function private.add_counts(highlight uuid, likes integer, comments integer) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  waiting record;
begin
  perform from public.highlights h where h.id = highlight for no key update skip locked;
  if found then
    with folded as (
      delete from private.count_changes c where c.highlight_id = highlight returning c.likes, c.comments)
    select coalesce(sum(f.likes), 0) + add_counts.likes as likes, coalesce(sum(f.comments), 0) + add_counts.comments as comments
    into waiting from folded f;
    update public.highlights h set
      likes_count = greatest(h.likes_count + waiting.likes, 0),
      comments_count = greatest(h.comments_count + waiting.comments, 0)
    where h.id = highlight;
  -- Deleting a highlight deletes its likes, which are no longer counted.
  elsif exists (select from public.highlights h where h.id = highlight) then
    insert into private.count_changes values (highlight, likes, comments);
  end if;
end;
$$;

create or replace function private.count_likes() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  step integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform private.add_counts(c.highlight_id, step * c.number, 0)
  from (select highlight_id, count(*)::integer as number from changed group by 1 order by 1) c;
  return null;
end;
$$;

create or replace function private.count_comments() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  step integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform private.add_counts(c.highlight_id, 0, step * c.number)
  from (select highlight_id, count(*)::integer as number from changed group by 1 order by 1) c;
  return null;
end;
$$;

create function private.forget_changes() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.count_changes where highlight_id = old.id;
  return null;
end;
$$;

-- Clients choose IDs, so another highlight may get the same one.
create trigger forget_changes after delete on public.highlights
  for each row execute function private.forget_changes();

-- For a schedule. Returns the number of highlights with waiting changes.
create function public.fold_counters() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  number integer;
begin
  -- Like `join_writers`, before the first row lock.
  perform pg_advisory_xact_lock_shared(20261122);
  select count(private.add_counts(c.highlight_id, 0, 0)) into number
  from (select distinct highlight_id from private.count_changes order by 1) c;
  return number;
end;
$$;

revoke all on function private.add_counts(uuid, integer, integer), private.forget_changes() from public;
revoke all on function public.fold_counters() from public, anon, authenticated, service_role;
grant execute on function public.fold_counters() to service_role;
