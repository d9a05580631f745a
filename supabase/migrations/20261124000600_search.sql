-- Search for people, teams, tags and captions. The app's `caption=ilike.%…%` reads the whole table (5.7 s for 200,000
-- highlights): `ilike` and array operators may leak rows, so row-level security is evaluated before them, and they can't use
-- an index. The functions here run with the owner's rights, use indexes of words, and check the condition of the policy.
create extension if not exists pg_trgm with schema extensions;
create extension if not exists fuzzystrmatch with schema extensions;

-- Words

-- The words of a text, in lower case. Fullwidth and decomposed letters are equal to ordinary ones.
create function private.search_words(content text) returns text[]
language sql immutable parallel safe
as $$
  select coalesce(array_agg(distinct left(word, 40)), '{}')
  from regexp_split_to_table(lower(normalize(content, nfkc)), '[^[:alnum:]]+') as word where word <> '';
$$;

-- The words of a highlight's caption and tags, and its tags as `#tag`. Smaller than the highlights, because a search for a
-- frequent word reads the newest rows until the page is full.
-- `highlights_with_tag` no longer uses the index of tags.
drop index public.highlights_tags;
create table private.highlight_words (
  highlight_id uuid primary key references public.highlights (id) on delete cascade,
  created_at timestamptz not null,
  words text[] not null
);
create index highlight_words_newest on private.highlight_words (created_at desc, highlight_id desc);
create index highlight_words_words on private.highlight_words using gin (words);
alter table private.highlight_words enable row level security;

-- The known words, to find the meant one of a misspelled word. Words of texts that aren't public, or of people who aren't,
-- are not included.
create table private.search_terms (
  term text collate "C" primary key
);
create index search_terms_similar on private.search_terms using gin (term extensions.gin_trgm_ops);
alter table private.search_terms enable row level security;

-- A caption is complete; of the tags, which could have a million letters, the first ones are.
create function private.words_of(highlight public.highlights) returns text[]
language sql immutable parallel safe
as $$
  select private.search_words(left(concat_ws(' ', highlight.caption, array_to_string(highlight.tags, ' ')), 5000))
    || array(select '#' || tag from unnest(highlight.tags) as tag where char_length(tag) <= 100);
$$;

-- With separate columns, because an index of a whole row would be written with each change of a counter.
create function private.person_words(display_name text, team_name text) returns text[]
language sql immutable parallel safe
as $$
  select private.search_words(concat_ws(' ', display_name, team_name));
$$;

create function private.learn_words(words text[]) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- In one order, because another transaction may add the same words.
  insert into private.search_terms
  select word from unnest(words) as word
  where char_length(word) > 2 and not starts_with(word, '#')
    and not exists (select from private.search_terms where term = word)
  order by word collate "C"
  on conflict do nothing;
end;
$$;

create function private.index_highlight() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  words text[] := private.words_of(new);
begin
  insert into private.highlight_words as w values (new.id, new.created_at, words)
  on conflict (highlight_id) do update set created_at = excluded.created_at, words = excluded.words;
  if new.privacy_level = 'public'
    and exists (select from public.profiles p where p.id = new.author_id and p.privacy_level = 'public')
  then
    perform private.learn_words(words);
  end if;
  return null;
end;
$$;

create function private.index_profile() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  words text[] := private.person_words(new.display_name, new.team_name);
begin
  if new.privacy_level <> 'public' then return null; end if;
  if tg_op = 'UPDATE' and old.privacy_level <> 'public' then
    words := words || array(
      select distinct unnest(w.words) from public.highlights h join private.highlight_words w on w.highlight_id = h.id
      where h.author_id = new.id and h.privacy_level = 'public');
  end if;
  perform private.learn_words(words);
  return null;
end;
$$;

create trigger index_words after insert or update of caption, tags, privacy_level, created_at on public.highlights
  for each row execute function private.index_highlight();
create trigger index_words after insert or update of display_name, team_name, privacy_level on public.profiles
  for each row execute function private.index_profile();

insert into private.highlight_words select h.id, h.created_at, private.words_of(h) from public.highlights h;
insert into private.search_terms
select word from (
  select unnest(w.words) as word
  from private.highlight_words w
  join public.highlights h on h.id = w.highlight_id join public.profiles p on p.id = h.author_id
  where h.privacy_level = 'public' and p.privacy_level = 'public'
  union select unnest(private.person_words(p.display_name, p.team_name)) from public.profiles p where p.privacy_level = 'public') words
where char_length(word) > 2 and not starts_with(word, '#');

-- The words that a word of a query can mean: itself if it is known, or else those that it begins, and similar ones with at
-- most two letters changed.
create function private.meant_words(word text) returns text[]
language sql stable security definer set search_path = ''
as $$
  select case when exists (select from private.search_terms where term = word) then array[word] else
    array[word]
      || array(
        select term from private.search_terms
        where term >= word collate "C" and term < (word || U&'\+10FFFF') collate "C" order by term limit 10)
      || array(
        select term from (
          (select term from private.search_terms where term operator(extensions.%) word
           order by extensions.similarity(term, word) desc limit 100)
          union
          -- Short words share too few groups of three letters.
          (select term from private.search_terms
           where term >= left(word, 1) collate "C" and term < (left(word, 1) || U&'\+10FFFF') collate "C"
             and char_length(term) between char_length(word) - 1 and char_length(word) + 1 limit 2000)) similar_terms
        where char_length(word) > 3
          and extensions.levenshtein_less_equal(term, word, 2) <= case when char_length(word) < 5 then 1 else 2 end
        order by extensions.levenshtein(term, word), term limit 5)
  end;
$$;

-- A condition for an array of words: every word of the query, up to eight. Null if there are none.
create function private.search_condition(query text, list text) returns text
language sql stable security definer set search_path = ''
as $$
  select string_agg(format('%s && %L::text[]', list, private.meant_words(word)), ' and ')
  from (select word from unnest(private.search_words(left(query, 200))) as word limit 8) words;
$$;

-- The `like` pattern of texts with this beginning.
create function private.beginning_with(content text) returns text
language sql immutable parallel safe
as $$
  select replace(replace(replace(content, '\', '\\'), '%', '\%'), '_', '\_') || '%';
$$;

-- Highlights

-- The newest rows of `highlight_words` with this condition that the caller may see and find. Reads until the page is full.
create function private.newest_highlights(condition text, max_rows integer, before timestamptz, before_id uuid)
returns setof public.highlights
language plpgsql stable security definer set search_path = ''
as $$
declare
  highlight public.highlights;
  missing integer := least(max_rows, 100);
  batch integer := 2 * least(max_rows, 100);
  read integer;
begin
  before := coalesce(before, 'infinity');
  before_id := coalesce(before_id, '00000000-0000-0000-0000-000000000000');
  loop
    read := 0;
    -- Planned for each condition: a frequent word is found in the newest rows, a rare one with the index of words.
    for highlight in execute format(
      'select h.* from (
         select highlight_id from private.highlight_words w
         where (w.created_at, w.highlight_id) < ($1, $2) and (%s)
         order by w.created_at desc, w.highlight_id desc limit $3) w
       cross join lateral (select * from public.highlights h where h.id = w.highlight_id offset 0) h
       order by h.created_at desc, h.id desc', condition) using before, before_id, batch
    loop
      exit when missing <= 0;
      read := read + 1;
      before := highlight.created_at;
      before_id := highlight.id;
      if private.can_see_highlight(highlight.author_id, highlight.privacy_level, highlight.is_ready)
        and private.can_find(highlight.author_id) and not private.is_muted(highlight.author_id)
      then
        missing := missing - 1;
        return next highlight;
      end if;
    end loop;
    exit when missing <= 0 or read < batch;
  end loop;
end;
$$;

-- Like before, but the planner decided without knowing the tag, and a page read all highlights with it.
create or replace function public.highlights_with_tag(
  tag text, max_rows integer default 20, before timestamptz default null
) returns setof public.highlights
language sql stable security definer set search_path = ''
as $$
  select * from private.newest_highlights(format('w.words @> array[%L]', '#' || lower(tag)), max_rows, before, null);
$$;

-- Captions and tags with all words of the query, the newest first. For the next page, `before` and `before_id` are
-- `created_at` and `id` of the last row.
create function public.search_highlights(
  query text, max_rows integer default 20, before timestamptz default null, before_id uuid default null
) returns setof public.highlights
language sql stable security definer set search_path = ''
as $$
  with wanted as materialized (select private.search_condition(query, 'w.words') as condition)
  select found.* from wanted cross join lateral private.newest_highlights(condition, max_rows, before, before_id) found
  where condition is not null;
$$;

-- People

create index profiles_words on public.profiles using gin (private.person_words(display_name, team_name));
create index profiles_username_prefix on public.profiles (lower(username) text_pattern_ops);

-- Names and teams with all words of the query, and usernames that begin with it. If there are none, usernames with the same
-- first half and at most two changes. Exact usernames come first, then beginnings, then names by followers. At most 2,000
-- people with a frequent name are ranked.
create function public.search_people(query text, max_rows integer default 20, skip_rows integer default 0)
returns setof public.profiles
language plpgsql stable security definer set search_path = ''
as $$
declare
  name text := lower(btrim(left(search_people.query, 200), ' @'));
  condition text := private.search_condition(search_people.query, 'private.person_words(p.display_name, p.team_name)');
begin
  if condition is null then return; end if;
  -- Planned for each query, because frequent and rare names need different plans.
  return query execute format(
    'with found as materialized (
       (select p.id, case lower(p.username) when $1 then 1 else 2 end as rank from public.profiles p
        where lower(p.username) like $2 limit 200)
       union all
       (select p.id, 3 from public.profiles p where %s limit 2000)
     ), similar_names as (
       select p.id, 4 as rank
       from (select p.id, lower(p.username) as name from public.profiles p where lower(p.username) like $5 limit 2000) p
       -- Hidden people must not decide about the answer.
       where not exists (select from found f where private.can_find(f.id)) and extensions.levenshtein_less_equal(p.name, $1, 2) <= 2
       limit 50
     ), ranked as (
       select p, f.rank, p.followers_count, p.id
       from (select id, min(rank) as rank from (select * from found union all select * from similar_names) f group by 1) f
       join public.profiles p on p.id = f.id
       order by f.rank, p.followers_count desc, p.id offset 0
     )
     select (p).* from ranked where private.can_find(ranked.id)
     order by ranked.rank, ranked.followers_count desc, ranked.id
     limit $3 offset $4', condition)
    using name, private.beginning_with(name), least(max_rows, 100), skip_rows,
      private.beginning_with(left(name, greatest(length(name) / 2, 2)));
end;
$$;

-- Tags and teams

-- What people choose from: tags of public highlights of the last 30 days, and teams of public profiles. A schedule calls
-- `refresh_labels`, so they appear some minutes later.
create table private.labels (
  kind text not null check (kind in ('tag', 'team')),
  -- An index refuses long texts.
  name text not null check (octet_length(name) <= 400),
  uses integer not null,
  primary key (kind, name)
);
create index labels_similar on private.labels using gin (lower(name) extensions.gin_trgm_ops);
create index labels_prefix on private.labels (kind, lower(name) text_pattern_ops);
create index labels_uses on private.labels (kind, uses desc);
alter table private.labels enable row level security;

create function public.refresh_labels() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  create temporary table fresh_labels on commit drop as
  select 'tag' as kind, tag as name, count(distinct h.author_id)::integer as uses
  from public.highlights h join public.profiles p on p.id = h.author_id cross join unnest(h.tags) as tag
  where h.created_at > now() - interval '30 days' and h.privacy_level = 'public' and h.is_ready
    and p.privacy_level = 'public' and not private.is_protected(p.id) and octet_length(tag) <= 400
  group by 2
  union all
  select 'team', p.team_name, count(*)::integer from public.profiles p
  where octet_length(p.team_name) <= 400 and p.privacy_level = 'public' and not private.is_protected(p.id)
  group by 2;
  delete from private.labels l where not exists (
    select from pg_temp.fresh_labels f where f.kind = l.kind and f.name = l.name);
  insert into private.labels as l select * from pg_temp.fresh_labels
  on conflict (kind, name) do update set uses = excluded.uses where l.uses <> excluded.uses;
  drop table pg_temp.fresh_labels;
end;
$$;

-- Names that begin with the text, then those with similar words, by number of uses; without a text, the most used ones.
create function private.find_labels(kind text, query text, max_rows integer, skip_rows integer)
returns table (name text, uses integer)
language plpgsql stable security definer set search_path = ''
as $$
declare
  wanted text := lower(coalesce(query, ''));
begin
  return query
  select found.name, found.uses from (
    select labels.name, labels.uses, min(labels.rank) as rank from (
      (select l.name, l.uses, 1 as rank from private.labels l
       where l.kind = find_labels.kind and wanted = '' order by l.uses desc limit max_rows + skip_rows)
      union all
      (select l.name, l.uses, 1 from private.labels l
       where l.kind = find_labels.kind and wanted <> '' and lower(l.name) like private.beginning_with(wanted) limit 500)
      union all
      (select l.name, l.uses, 2 from private.labels l
       where l.kind = find_labels.kind and wanted <> '' and wanted operator(extensions.<%) lower(l.name) limit 500)) labels
    group by 1, 2) found
  order by found.rank, found.uses desc, found.name
  limit least(max_rows, 100) offset skip_rows;
end;
$$;

create function public.search_tags(query text, max_rows integer default 20, skip_rows integer default 0)
returns table (name text, uses integer)
language sql stable security definer set search_path = ''
as $$
  select * from private.find_labels('tag', ltrim(left(query, 200), '#'), max_rows, skip_rows);
$$;

create function public.search_teams(query text, max_rows integer default 20, skip_rows integer default 0)
returns table (name text, uses integer)
language sql stable security definer set search_path = ''
as $$
  select * from private.find_labels('team', left(query, 200), max_rows, skip_rows);
$$;

revoke all on function
  private.search_words(text), private.words_of(public.highlights), private.person_words(text, text),
  private.learn_words(text[]), private.index_highlight(), private.index_profile(), private.meant_words(text),
  private.search_condition(text, text), private.beginning_with(text), private.newest_highlights(text, integer, timestamptz, uuid),
  private.find_labels(text, text, integer, integer)
  from public;
-- The index expression is evaluated with the writer's rights.
grant execute on function private.person_words(text, text), private.search_words(text) to authenticated, service_role;
revoke all on function
  public.search_highlights(text, integer, timestamptz, uuid), public.search_people(text, integer, integer),
  public.search_tags(text, integer, integer), public.search_teams(text, integer, integer), public.refresh_labels()
  from public, anon, authenticated, service_role;
grant execute on function
  public.search_highlights(text, integer, timestamptz, uuid), public.search_people(text, integer, integer),
  public.search_tags(text, integer, integer), public.search_teams(text, integer, integer)
  to anon, authenticated, service_role;
grant execute on function public.refresh_labels() to service_role;
