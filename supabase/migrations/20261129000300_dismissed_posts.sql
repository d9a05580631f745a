-- A call of `ingest_posts` that waits for a concurrent deletion doesn't see that the post was dismissed, and would add it again. This
-- query does, because it starts after the wait.
create function private.remove_dismissed_posts() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.social_media_posts s using fresh f
  where s.id = f.id and exists (
    select from public.dismissed_posts d where d.family_unit_id = f.family_unit_id and d.post_url = f.post_url);
  return null;
end;
$$;
create trigger remove_dismissed after insert on public.social_media_posts referencing new table as fresh
  for each statement execute function private.remove_dismissed_posts();
revoke all on function private.remove_dismissed_posts() from public, anon, authenticated, service_role;
