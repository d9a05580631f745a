-- Likes and comments. `join_writers` explains how they are counted.

create table public.likes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  highlight_id uuid not null references public.highlights (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (user_id, highlight_id)
);
create index likes_highlight on public.likes (highlight_id, created_at desc);

create table public.comments (
  id uuid primary key default gen_random_uuid(),
  highlight_id uuid not null references public.highlights (id) on delete cascade,
  author_id uuid not null references public.profiles (id) on delete cascade,
  text text not null check (text ~ '\S' and private.fits(text, 500)),
  likes_count integer not null default 0 check (likes_count >= 0),
  created_at timestamptz not null default now()
);
create index comments_highlight on public.comments (highlight_id, created_at desc);
create index comments_author on public.comments (author_id);

create table public.comment_likes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  comment_id uuid not null references public.comments (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (user_id, comment_id)
);
create index comment_likes_comment on public.comment_likes (comment_id);

-- Inserted and deleted, never updated. A comment's counter and the dates are not granted.
alter table public.likes enable row level security;
alter table public.comments enable row level security;
alter table public.comment_likes enable row level security;
revoke all on public.likes, public.comments, public.comment_likes from anon, authenticated;
grant select on public.likes, public.comments, public.comment_likes to anon;
grant select, delete on public.likes, public.comments, public.comment_likes to authenticated;
grant insert (user_id, highlight_id) on public.likes to authenticated;
grant insert (highlight_id, author_id, text) on public.comments to authenticated;
grant insert (user_id, comment_id) on public.comment_likes to authenticated;

create function private.count_likes() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  step integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform from public.highlights where id in (select highlight_id from changed) order by id for no key update;
  update public.highlights p set likes_count = greatest(likes_count + step * c.number, 0)
  from (select highlight_id, count(*) as number from changed group by 1) c where p.id = c.highlight_id;
  return null;
end;
$$;

create function private.count_comments() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  step integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform from public.highlights where id in (select highlight_id from changed) order by id for no key update;
  update public.highlights p set comments_count = greatest(comments_count + step * c.number, 0)
  from (select highlight_id, count(*) as number from changed group by 1) c where p.id = c.highlight_id;
  return null;
end;
$$;

create function private.count_comment_likes() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  step integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform from public.comments where id in (select comment_id from changed) order by id for no key update;
  update public.comments p set likes_count = greatest(likes_count + step * c.number, 0)
  from (select comment_id, count(*) as number from changed group by 1) c where p.id = c.comment_id;
  return null;
end;
$$;

create trigger join_writers before insert or delete on public.likes
  for each statement execute function private.join_writers();
create trigger count_new after insert on public.likes referencing new table as changed
  for each statement execute function private.count_likes();
create trigger count_gone after delete on public.likes referencing old table as changed
  for each statement execute function private.count_likes();
create trigger join_writers before insert on public.comments
  for each statement execute function private.join_writers();
create trigger stop_writers before delete on public.comments
  for each statement execute function private.stop_writers();
create trigger count_new after insert on public.comments referencing new table as changed
  for each statement execute function private.count_comments();
create trigger count_gone after delete on public.comments referencing old table as changed
  for each statement execute function private.count_comments();
create trigger join_writers before insert or delete on public.comment_likes
  for each statement execute function private.join_writers();
create trigger count_new after insert on public.comment_likes referencing new table as changed
  for each statement execute function private.count_comment_likes();
create trigger count_gone after delete on public.comment_likes referencing old table as changed
  for each statement execute function private.count_comment_likes();

revoke all on function private.count_likes(), private.count_comments(), private.count_comment_likes() from public;
