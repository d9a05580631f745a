-- Row rules: which rows a role may read and write. Columns and commands are granted with each table.

-- The three functions below read rows that the caller may not read (blocks by others, private profiles), so they run with
-- the owner's rights. They reveal only yes or no about the caller.

-- Whether a profile is visible. Followers-only profiles are, so that users can request to follow them; private ones are
-- not. A block hides two profiles from each other, and a pending deletion hides a profile from everyone else.
create function private.can_see_profile(profile uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  viewer uuid := auth.uid();
begin
  return profile = viewer or (
    exists (select from public.profiles where id = profile and privacy_level <> 'private')
    and not exists (select from public.account_deletions where user_id = profile)
    and (viewer is null or not exists (
      select from public.user_blocks
      where blocker_id = viewer and blocked_id = profile or blocker_id = profile and blocked_id = viewer)));
end;
$$;

-- Whether a highlight is visible: the stricter privacy level of the highlight and its author applies.
create function private.can_see_highlight(author uuid, level text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  viewer uuid := auth.uid();
begin
  return author = viewer or (
    level <> 'private'
    and private.can_see_profile(author)
    and (
      level = 'public' and exists (select from public.profiles where id = author and privacy_level = 'public')
      or exists (select from public.follows where follower_id = viewer and following_id = author)));
end;
$$;

-- Followers-only profiles need a request. Private profiles accept no new followers.
create function private.has_level(profile uuid, level text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.can_see_profile(profile)
    and exists (select from public.profiles where id = profile and privacy_level = level);
end;
$$;

revoke all on function
  private.can_see_profile(uuid), private.can_see_highlight(uuid, text), private.has_level(uuid, text) from public;
grant execute on function
  private.can_see_profile(uuid), private.can_see_highlight(uuid, text), private.has_level(uuid, text)
  to anon, authenticated, service_role;

create policy profiles_select on public.profiles for select to anon, authenticated
  using (private.can_see_profile(id));
create policy profiles_update on public.profiles for update to authenticated
  using (id = (select auth.uid()));

create policy highlights_select on public.highlights for select to anon, authenticated
  using (private.can_see_highlight(author_id, privacy_level));
create policy highlights_insert on public.highlights for insert to authenticated
  with check (author_id = (select auth.uid()));
create policy highlights_update on public.highlights for update to authenticated
  using (author_id = (select auth.uid()));
create policy highlights_delete on public.highlights for delete to authenticated
  using (author_id = (select auth.uid()));

-- Rows that belong to a highlight check its visibility through its own policy.
create policy likes_select on public.likes for select to anon, authenticated
  using (
    user_id = (select auth.uid())
    or private.can_see_profile(user_id) and exists (
      select from public.highlights h
      where h.id = highlight_id and (not h.hide_likes or h.author_id = (select auth.uid()))));
create policy likes_insert on public.likes for insert to authenticated
  with check (
    user_id = (select auth.uid()) and exists (select from public.highlights h where h.id = highlight_id));
create policy likes_delete on public.likes for delete to authenticated
  using (user_id = (select auth.uid()));

create policy comments_select on public.comments for select to anon, authenticated
  using (
    author_id = (select auth.uid())
    or private.can_see_profile(author_id) and exists (select from public.highlights h where h.id = highlight_id));
create policy comments_insert on public.comments for insert to authenticated
  with check (
    author_id = (select auth.uid()) and exists (select from public.highlights h where h.id = highlight_id));
create policy comments_delete on public.comments for delete to authenticated
  using (author_id = (select auth.uid()));

create policy comment_likes_select on public.comment_likes for select to anon, authenticated
  using (
    user_id = (select auth.uid())
    or private.can_see_profile(user_id) and exists (select from public.comments c where c.id = comment_id));
create policy comment_likes_insert on public.comment_likes for insert to authenticated
  with check (user_id = (select auth.uid()) and exists (select from public.comments c where c.id = comment_id));
create policy comment_likes_delete on public.comment_likes for delete to authenticated
  using (user_id = (select auth.uid()));

-- The followed person may remove a follower, too.
create policy follows_select on public.follows for select to anon, authenticated
  using (private.can_see_profile(follower_id) and private.can_see_profile(following_id));
create policy follows_insert on public.follows for insert to authenticated
  with check (follower_id = (select auth.uid()) and private.has_level(following_id, 'public'));
create policy follows_delete on public.follows for delete to authenticated
  using ((select auth.uid()) in (follower_id, following_id));

create policy follow_requests_select on public.follow_requests for select to authenticated
  using ((select auth.uid()) in (requester_id, target_id));
create policy follow_requests_insert on public.follow_requests for insert to authenticated
  with check (requester_id = (select auth.uid()) and private.has_level(target_id, 'followers_only'));
-- Cancelled by the requester, or declined.
create policy follow_requests_delete on public.follow_requests for delete to authenticated
  using ((select auth.uid()) in (requester_id, target_id));

-- Blocked and muted people can't find out.
create policy user_blocks_select on public.user_blocks for select to authenticated
  using (blocker_id = (select auth.uid()));
create policy user_blocks_insert on public.user_blocks for insert to authenticated
  with check (blocker_id = (select auth.uid()));
create policy user_blocks_delete on public.user_blocks for delete to authenticated
  using (blocker_id = (select auth.uid()));

create policy user_mutes_select on public.user_mutes for select to authenticated
  using (muter_id = (select auth.uid()));
create policy user_mutes_insert on public.user_mutes for insert to authenticated
  with check (muter_id = (select auth.uid()));
create policy user_mutes_delete on public.user_mutes for delete to authenticated
  using (muter_id = (select auth.uid()));

create policy polls_select on public.polls for select to anon, authenticated
  using (exists (select from public.highlights h where h.id = highlight_id));
create policy polls_insert on public.polls for insert to authenticated
  with check (exists (
    select from public.highlights h where h.id = highlight_id and h.author_id = (select auth.uid())));
create policy polls_delete on public.polls for delete to authenticated
  using (exists (
    select from public.highlights h where h.id = highlight_id and h.author_id = (select auth.uid())));

create policy poll_options_select on public.poll_options for select to anon, authenticated
  using (exists (select from public.polls p where p.id = poll_id));
create policy poll_options_insert on public.poll_options for insert to authenticated
  with check (exists (
    select from public.polls p join public.highlights h on h.id = p.highlight_id
    where p.id = poll_id and h.author_id = (select auth.uid())));

-- Votes are secret. The counters contain the result.
create policy poll_votes_select on public.poll_votes for select to authenticated
  using (user_id = (select auth.uid()));
create policy poll_votes_insert on public.poll_votes for insert to authenticated
  with check (user_id = (select auth.uid()) and exists (select from public.polls p where p.id = poll_id));
create policy poll_votes_update on public.poll_votes for update to authenticated
  using (user_id = (select auth.uid()))
  with check (user_id = (select auth.uid()) and exists (select from public.polls p where p.id = poll_id));
create policy poll_votes_delete on public.poll_votes for delete to authenticated
  using (user_id = (select auth.uid()));

create policy content_reports_select on public.content_reports for select to authenticated
  using (reporter_id = (select auth.uid()));
create policy content_reports_insert on public.content_reports for insert to authenticated
  with check (reporter_id = (select auth.uid()));

create policy rate_limits_select on public.rate_limits for select to anon, authenticated
  using (true);
create policy account_flags_select on public.account_flags for select to authenticated
  using (user_id = (select auth.uid()));

create policy uploads_select on public.uploads for select to authenticated
  using (author_id = (select auth.uid()));

create policy account_deletions_select on public.account_deletions for select to authenticated
  using (user_id = (select auth.uid()));
create policy account_deletions_insert on public.account_deletions for insert to authenticated
  with check (user_id = (select auth.uid()));
create policy account_deletions_delete on public.account_deletions for delete to authenticated
  using (user_id = (select auth.uid()));
