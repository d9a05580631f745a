-- Feeds as functions that return rows of `highlights`. PostgREST filters, orders, pages and embeds them like the table.

create function private.is_muted(author uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.user_mutes where muter_id = auth.uid() and muted_id = author);
$$;

-- All highlights that the caller may see, except those of muted people. The request adds the rest (`order`,
-- `author_id=in.(…)`). A plain query with the caller's rights, which the planner can inline to use the indexes.
create function public.feed() returns setof public.highlights
language sql stable
as $$
  select * from public.highlights where not private.is_muted(author_id);
$$;

-- The two functions below run with the owner's rights and check the same condition as the policy. Row-level security is
-- evaluated before `tags @> …`, so an ordinary request couldn't use the index of tags. They read candidates in order and
-- stop when the page is full.
create function public.highlights_with_tag(tag text, max_rows integer default 20, before timestamptz default null)
returns setof public.highlights
language sql stable security definer set search_path = ''
as $$
  select h.*
  from (
    select * from public.highlights
    where tags @> array[lower(tag)] and (before is null or created_at < before)
    order by created_at desc, id desc offset 0) h
  where private.can_see_highlight(h.author_id, h.privacy_level) and not private.is_muted(h.author_id)
  limit least(max_rows, 100);
$$;

-- Highlights of the last 30 days, by likes and comments, weighted by age.
create function public.discover_highlights(max_rows integer default 20, skip_rows integer default 0)
returns setof public.highlights
language sql stable security definer set search_path = ''
as $$
  select h.*
  from (
    select * from public.highlights
    where privacy_level = 'public' and created_at > now() - interval '30 days'
    order by
      (likes_count + 2 * comments_count + 1)
        / power(extract(epoch from now() - created_at)::double precision / 3600 + 2, 1.5) desc, id
    offset 0) h
  where private.can_see_highlight(h.author_id, h.privacy_level) and not private.is_muted(h.author_id)
  limit least(max_rows, 100) offset skip_rows;
$$;

-- Computed columns: `select=*,is_liked_by_me`.
create function public.is_liked_by_me(highlight public.highlights) returns boolean
language sql stable
as $$
  select exists (
    select from public.likes l where l.highlight_id = highlight.id and l.user_id = (select auth.uid()));
$$;

create function public.is_liked_by_me(comment public.comments) returns boolean
language sql stable
as $$
  select exists (
    select from public.comment_likes l where l.comment_id = comment.id and l.user_id = (select auth.uid()));
$$;

revoke all on function private.is_muted(uuid) from public;
revoke all on function
  public.feed(), public.highlights_with_tag(text, integer, timestamptz), public.discover_highlights(integer, integer),
  public.is_liked_by_me(public.highlights), public.is_liked_by_me(public.comments)
  from public, anon, authenticated, service_role;
grant execute on function
  private.is_muted(uuid), public.feed(), public.highlights_with_tag(text, integer, timestamptz),
  public.discover_highlights(integer, integer), public.is_liked_by_me(public.highlights),
  public.is_liked_by_me(public.comments)
  to anon, authenticated, service_role;
