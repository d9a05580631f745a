-- A decision can be sent again after a lost response: the caller chooses the ID of its entry in the log, and a second request
-- with it returns what the first one did. Otherwise, a repeated warning would be a second offense.

drop function public.moderate(text, text, uuid, text);

-- A decision: `dismiss` (no offense), `remove` (deletes the content, or clears the profile's texts; an offense), `warn` (an
-- offense), `restrict` (an offense, refused for the first one), `lift` (ends a restriction). Returns the consequence:
-- {"action": "restrict", "until": "…"}. With `is_pending`, the decision is about reports and rate flags that wait for one.
-- PT404: no such content; PT409: not possible now, nothing is pending, or the ID was used for another decision.
create function public.moderate(
  action text, target_type text, target_id uuid, reason text, id uuid default null, is_pending boolean default false
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  entry uuid := coalesce(moderate.id, gen_random_uuid());
  -- The entry of a removal, which precedes that of its consequence.
  removal uuid := left(encode(sha256(convert_to(entry::text || '/remove', 'UTF8')), 'hex'), 32)::uuid;
  stored private.moderation_actions;
  was_removal boolean;
  owner uuid;
  content text;
  earlier integer;
  consequence text;
  ends timestamptz;
begin
  perform private.require_moderator();
  -- Like `stop_writers`, before the first row lock. Two decisions wait for each other here.
  perform pg_advisory_xact_lock(20261122);
  select * into stored from private.moderation_actions a where a.id = entry;
  if stored.id is not null then
    was_removal := exists (select from private.moderation_actions a where a.id = removal);
    -- After the first offense, `warn` and `restrict` are the same decision.
    if (stored.moderator_id, stored.target_type, stored.target_id, stored.reason)
        is distinct from (auth.uid(), moderate.target_type, moderate.target_id, moderate.reason)
      or (case moderate.action
          when 'remove' then was_removal
          when 'warn' then not was_removal and stored.action in ('warn', 'restrict')
          when 'restrict' then not was_removal and stored.action = 'restrict'
          else stored.action = moderate.action end) is not true
    then
      raise sqlstate 'PT409' using message = 'the ID belongs to another decision';
    end if;
    return jsonb_build_object('action', stored.action, 'until', stored.until);
  end if;

  owner := case moderate.target_type
    when 'highlight' then (select h.author_id from public.highlights h where h.id = moderate.target_id)
    when 'comment' then (select c.author_id from public.comments c where c.id = moderate.target_id)
    when 'user_profile' then (select p.id from public.profiles p where p.id = moderate.target_id) end;
  -- Deleted content can still be dismissed, or be an offense.
  owner := coalesce(owner, (
    select r.reported_user_id from public.content_reports r
    where r.reported_type = moderate.target_type and r.reported_id = moderate.target_id limit 1));
  if owner is null then raise sqlstate 'PT404' using message = 'the content does not exist'; end if;
  if owner = auth.uid() then
    raise insufficient_privilege using message = 'moderators don''t decide about themselves';
  end if;
  -- Another moderator may have decided since the caller read the queue.
  if moderate.is_pending
    and not exists (
      select from public.content_reports r
      where r.reported_type = moderate.target_type and r.reported_id = moderate.target_id and r.status = 'pending')
    and not exists (
      select from public.account_flags f
      where f.user_id = moderate.target_id and f.reviewed_at is null and moderate.target_type = 'user_profile')
  then
    raise sqlstate 'PT409' using message = 'no report or flag is pending';
  end if;
  content := private.reported_text(moderate.target_type, moderate.target_id);
  earlier := private.offense_count(owner);

  case moderate.action
    when 'dismiss' then null;
    when 'lift' then
      if private.restricted_until(owner) is null then
        raise sqlstate 'PT409' using message = 'the account is not restricted';
      end if;
    when 'restrict' then
      if earlier = 0 then raise sqlstate 'PT409' using message = 'the first offense is a warning'; end if;
    when 'warn' then null;
    when 'remove' then
      if content is null then raise sqlstate 'PT404' using message = 'the content does not exist'; end if;
      case moderate.target_type
        when 'highlight' then delete from public.highlights h where h.id = moderate.target_id;
        when 'comment' then delete from public.comments c where c.id = moderate.target_id;
        else
          update public.profiles p set display_name = 'Volleyball Player', bio = null, team_name = null, avatar_url = null
          where p.id = moderate.target_id;
      end case;
      insert into private.moderation_actions (id, moderator_id, user_id, action, target_type, target_id, reason)
      values (removal, auth.uid(), owner, 'remove', moderate.target_type, moderate.target_id, moderate.reason);
    else raise check_violation using message = 'the action is not known';
  end case;

  consequence := case
    when moderate.action in ('dismiss', 'lift') then moderate.action
    when earlier = 0 then 'warn' else 'restrict' end;
  if consequence = 'restrict' then
    ends := greatest(
      private.restricted_until(owner), now() + case earlier when 1 then interval '7 days' else interval '30 days' end);
  end if;
  insert into private.moderation_actions (id, moderator_id, user_id, action, target_type, target_id, reason, until)
  values (entry, auth.uid(), owner, consequence, moderate.target_type, moderate.target_id, moderate.reason, ends);
  if moderate.action <> 'lift' then
    update public.content_reports r
    set status = case moderate.action when 'dismiss' then 'dismissed' else 'action_taken' end, reviewed_at = now()
    where r.reported_type = moderate.target_type and r.reported_id = moderate.target_id and r.status = 'pending';
    update public.account_flags f set reviewed_at = now()
    where f.user_id = moderate.target_id and f.reviewed_at is null and moderate.target_type = 'user_profile';
  end if;
  if moderate.action <> 'dismiss' then
    -- The moderator stays unnamed.
    insert into public.notifications (user_id, kind, cause, details)
    values (owner, 'moderation', entry, jsonb_build_object(
      'action', consequence, 'removed', moderate.action = 'remove', 'target_type', moderate.target_type,
      'target_id', moderate.target_id, 'content', left(content, 200), 'reason', moderate.reason, 'until', ends));
  end if;
  return jsonb_build_object('action', consequence, 'until', ends);
end;
$$;

revoke all on function public.moderate(text, text, uuid, text, uuid, boolean) from public, anon, authenticated, service_role;
grant execute on function public.moderate(text, text, uuid, text, uuid, boolean) to authenticated;
