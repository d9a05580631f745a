-- Like before, but pages continue between two highlights of the same moment: for the next page, `before` and `before_id` are
-- `created_at` and `id` of the last row.
drop function public.highlights_with_tag(text, integer, timestamptz);
create function public.highlights_with_tag(
  tag text, max_rows integer default 20, before timestamptz default null, before_id uuid default null
) returns setof public.highlights
language sql stable security definer set search_path = ''
as $$
  select * from private.newest_highlights(format('w.words @> array[%L]', '#' || lower(tag)), max_rows, before, before_id);
$$;
revoke all on function public.highlights_with_tag(text, integer, timestamptz, uuid)
  from public, anon, authenticated, service_role;
grant execute on function public.highlights_with_tag(text, integer, timestamptz, uuid) to anon, authenticated, service_role;
