-- An account sees its followers and everyone whom it follows, so that it can end these follows: also private profiles, and
-- accounts that will be deleted. The names stay hidden.
alter policy follows_select on public.follows using (
  (select auth.uid()) in (follower_id, following_id)
  or private.can_list_profile(follower_id) and private.can_list_profile(following_id));
