-- An account sees all of its followers, also those with a private profile: they see highlights for followers, so the account must
-- be able to find and remove them. Their names stay hidden. This includes followers whose account will be deleted.
alter policy follows_select on public.follows using (
  following_id = (select auth.uid())
  or private.can_list_profile(follower_id) and private.can_list_profile(following_id));

-- For the list of followed people, newest first.
create index follows_followed on public.follows (follower_id, created_at desc);

-- A highlight is found by tags of at most 100 characters, so longer ones are not suggested.
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
  where h.created_at > now() - interval '30 days' and h.privacy_level = 'public' and h.is_ready and char_length(tag) <= 100
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
