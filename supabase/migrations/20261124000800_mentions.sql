-- @mentions in captions and comments. Texts are parsed only here; clients link the names that this table contains.

create table public.mentions (
  id uuid primary key default gen_random_uuid(),
  highlight_id uuid not null references public.highlights (id) on delete cascade,
  -- Null for a mention in the caption.
  comment_id uuid references public.comments (id) on delete cascade,
  profile_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique nulls not distinct (highlight_id, comment_id, profile_id)
);
create index mentions_comment on public.mentions (comment_id);
create index mentions_profile on public.mentions (profile_id);
alter table public.mentions enable row level security;
revoke all on public.mentions from anon, authenticated;
grant select on public.mentions to anon, authenticated;

create policy mentions_select on public.mentions for select to anon, authenticated
  using (
    private.can_see_profile(profile_id)
    and case when comment_id is null
      then exists (select from public.highlights h where h.id = highlight_id)
      else exists (select from public.comments c where c.id = comment_id) end);

-- The names after an @ that doesn't follow a letter, as in a mail address. Dots at the end belong to the sentence.
create function private.mentioned_names(content text) returns text[]
language sql immutable parallel safe
as $$
  select coalesce(array_agg(name order by name), '{}') from (
    select distinct lower(rtrim(match[1], '.')) as name
    from regexp_matches(content, '(?<![[:alnum:]_.@/])@([A-Za-z0-9_.]{3,30})(?![[:alnum:]_@])', 'g') as match
    limit 20) names;
$$;

-- Strangers can't mention protected people, and people can't mention those who blocked them.
create function private.find_mentions() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  author uuid := new.author_id;
  content text := to_jsonb(new) ->> tg_argv[0];
  is_comment boolean := tg_argv[0] = 'text';
  highlight uuid := case when is_comment then (to_jsonb(new) ->> 'highlight_id')::uuid else new.id end;
  comment uuid := case when is_comment then new.id end;
begin
  if tg_op = 'UPDATE' then
    delete from public.mentions m
    where m.highlight_id = highlight and m.comment_id is null and not exists (
      select from public.profiles p where p.id = m.profile_id and lower(p.username) = any(private.mentioned_names(content)));
  end if;
  if position('@' in content) > 0 then
    insert into public.mentions (highlight_id, comment_id, profile_id)
    select highlight, comment, p.id
    from public.profiles p
    where lower(p.username) = any(private.mentioned_names(content))
      and private.can_write_to(p.id, author)
      and not exists (select from public.user_blocks where (blocker_id, blocked_id) in ((p.id, author), (author, p.id)))
    order by p.id
    on conflict do nothing;
  end if;
  return null;
end;
$$;

create trigger find_mentions after insert on public.comments
  for each row execute function private.find_mentions('text');
create trigger find_mentions after insert on public.highlights
  for each row execute function private.find_mentions('caption');
create trigger find_mentions_again after update of caption on public.highlights
  for each row when (old.caption is distinct from new.caption) execute function private.find_mentions('caption');
-- A mention locks the mentioned profile.
create trigger join_writers_of_mentions before update of caption on public.highlights
  for each statement execute function private.join_writers();

revoke all on function private.mentioned_names(text), private.find_mentions() from public;
