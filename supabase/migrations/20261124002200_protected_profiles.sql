-- Requests for tables don't list protected accounts. Strangers didn't find them in the search, but could read all profiles, and
-- who follows whom.

-- Whether the caller can read a profile and its follows: a protected one only if the caller follows it, it follows the caller,
-- or it has asked to follow the caller. A request of the caller opens nothing, because anyone can ask.
create function private.can_list_profile(profile uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.can_see_profile(profile) and (
    not private.is_protected_from_me(profile)
    or exists (select from public.follows f where f.follower_id = profile and f.following_id = auth.uid())
    or exists (
      select from public.follow_requests r where r.requester_id = profile and r.target_id = auth.uid()));
end;
$$;

alter policy profiles_select on public.profiles using (private.can_list_profile(id));
alter policy follows_select on public.follows
  using (private.can_list_profile(follower_id) and private.can_list_profile(following_id));

-- The profile with this username, for links and requests to follow: who knows the name of a protected account can ask to follow
-- it. The name must be complete.
create function public.find_profile(name text) returns setof public.profiles
language sql stable security definer set search_path = ''
as $$
  select * from public.profiles p where lower(p.username) = lower(find_profile.name) and private.can_see_profile(p.id);
$$;

revoke all on function private.can_list_profile(uuid) from public;
grant execute on function private.can_list_profile(uuid) to anon, authenticated, service_role;
revoke all on function public.find_profile(text) from public, anon, authenticated, service_role;
grant execute on function public.find_profile(text) to authenticated;
