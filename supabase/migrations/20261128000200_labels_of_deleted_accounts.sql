-- Tags and teams of accounts that will be deleted are no longer found, like their profiles and highlights.

create or replace function public.refresh_labels() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  create temporary table fresh_labels on commit drop as
  with listed as (
    select p.id, p.team_name from public.profiles p
    where p.privacy_level = 'public' and not private.is_protected(p.id)
      and not exists (select from public.account_deletions d where d.user_id = p.id))
  select 'tag' as kind, tag as name, count(distinct h.author_id)::integer as uses
  from public.highlights h join listed p on p.id = h.author_id cross join unnest(h.tags) as tag
  where h.created_at > now() - interval '30 days' and h.privacy_level = 'public' and h.is_ready and octet_length(tag) <= 400
  group by 2
  union all
  select 'team', p.team_name, count(*)::integer from listed p where octet_length(p.team_name) <= 400
  group by 2;
  delete from private.labels l where not exists (
    select from pg_temp.fresh_labels f where f.kind = l.kind and f.name = l.name);
  insert into private.labels as l select * from pg_temp.fresh_labels
  on conflict (kind, name) do update set uses = excluded.uses where l.uses <> excluded.uses;
  drop table pg_temp.fresh_labels;
end;
$$;
