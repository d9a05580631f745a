-- Moderation: who may do it, the queue of reports and rate flags, decisions, and their consequences.
--
-- The consequence is a rule and not a moderator's choice. An offense is a decision `warn`, `restrict` or `remove`. The first
-- one within 90 days is a warning, the second one a restriction of 7 days, and each further one a restriction of 30 days. A
-- restricted account can't post highlights, comments and polls, change the text of a highlight, or send a link to a coach;
-- reading, likes, and hiding and deleting own content remain possible.

-- The service role appoints moderators.
create table public.moderators (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now()
);
alter table public.moderators enable row level security;
revoke all on public.moderators from anon, authenticated;
grant select on public.moderators to authenticated;
create policy moderators_select on public.moderators for select to authenticated
  using (user_id = (select auth.uid()));

alter table public.account_flags add column reviewed_at timestamptz;
create index account_flags_queue on public.account_flags (created_at) where reviewed_at is null;

-- All decisions, for good: without foreign keys, so that deleted accounts don't change the log.
create table private.moderation_actions (
  id uuid primary key default gen_random_uuid(),
  moderator_id uuid not null,
  user_id uuid not null,
  action text not null check (action in ('dismiss', 'remove', 'warn', 'restrict', 'lift')),
  target_type text not null check (target_type in ('highlight', 'comment', 'user_profile')),
  target_id uuid not null,
  reason text not null check (reason ~ '\S' and private.fits(reason, 500)),
  -- The end of a restriction.
  until timestamptz check ((until is not null) = (action = 'restrict')),
  created_at timestamptz not null default clock_timestamp()
);
create index moderation_actions_user on private.moderation_actions (user_id, created_at desc);
create index moderation_actions_newest on private.moderation_actions (created_at desc);
alter table private.moderation_actions enable row level security;

create function private.refuse_changes() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise insufficient_privilege using message = 'the log of decisions can''t be changed';
end;
$$;
create trigger refuse_changes before update or delete on private.moderation_actions
  for each row execute function private.refuse_changes();

create function private.restricted_until(account uuid) returns timestamptz
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select max(a.until) from private.moderation_actions a
    where a.user_id = account and a.action = 'restrict' and a.until > now() and not exists (
      select from private.moderation_actions l
      where l.user_id = account and l.action = 'lift' and l.created_at > a.created_at));
end;
$$;

-- For the caller's own account; null without a restriction.
create function public.restricted_until() returns timestamptz
language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.restricted_until(auth.uid());
end;
$$;

create policy highlights_restricted on public.highlights as restrictive for insert to authenticated
  with check (public.restricted_until() is null);
create policy comments_restricted on public.comments as restrictive for insert to authenticated
  with check (public.restricted_until() is null);
create policy polls_restricted on public.polls as restrictive for insert to authenticated
  with check (public.restricted_until() is null);
create policy poll_options_restricted on public.poll_options as restrictive for insert to authenticated
  with check (public.restricted_until() is null);

-- Another text or a private highlight that becomes visible would be a new post.
create function private.refuse_restricted_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if private.restricted_until(new.author_id) is not null then
    raise insufficient_privilege using message = 'the account is restricted';
  end if;
  return new;
end;
$$;
create trigger refuse_restricted before update of caption, tags, location_name, privacy_level on public.highlights
  for each row when (
    (old.caption, old.tags, old.location_name) is distinct from (new.caption, new.tags, new.location_name)
    or old.privacy_level <> new.privacy_level and (old.privacy_level = 'private' or new.privacy_level = 'public'))
  execute function private.refuse_restricted_change();

-- The service role stores uploads, so no policy applies. The function `uploads` returns errors of this class to the client,
-- and reads the name in the message.
create function private.refuse_restricted_upload() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if private.restricted_until(new.author_id) is not null then
    raise check_violation using
      message = 'a restricted account violates check constraint "uploads_unrestricted_account_check"';
  end if;
  return new;
end;
$$;
create trigger refuse_restricted before insert on public.uploads
  for each row execute function private.refuse_restricted_upload();

-- Clients choose the IDs of new rows. A second account must not take the ID of reported content that was deleted, because the
-- decision would concern that account.
create function private.refuse_reported_id() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (
    select from public.content_reports r where r.reported_id = new.id and r.reported_user_id <> new.author_id)
  then
    raise insufficient_privilege using message = 'the id was used before';
  end if;
  return new;
end;
$$;
create index content_reports_reported on public.content_reports (reported_id);
create trigger refuse_reported_id before insert on public.comments
  for each row execute function private.refuse_reported_id();
create trigger refuse_reported_id before insert on public.highlights
  for each row execute function private.refuse_reported_id();

create function private.require_moderator() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not exists (select from public.moderators where user_id = auth.uid()) then
    raise insufficient_privilege using message = 'only moderators may do this';
  end if;
end;
$$;

-- What a report is about, as its text: the caption, the comment, or the profile's names.
create function private.reported_text(target_type text, target_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select case target_type
    when 'highlight' then (select left(coalesce(h.caption, ''), 500) from public.highlights h where h.id = target_id)
    when 'comment' then (select c.text from public.comments c where c.id = target_id)
    else (select concat_ws(E'\n', p.username, p.display_name, p.team_name, p.bio) from public.profiles p where p.id = target_id)
  end;
$$;

-- Reports and rate flags without a decision, by target, the oldest first. Several reports by one person count once. `content`
-- is null if it was deleted.
create function public.moderation_queue(max_rows integer default 50, skip_rows integer default 0)
returns table (
  target_type text, target_id uuid, user_id uuid, username text, report_count integer, report_types text[],
  flag_count integer, oldest timestamptz, content text, mux_playback_id text, offenses integer)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_moderator();
  return query
  select w.type, w.id, w.owner, p.username, w.reports, w.types, w.flags, w.first, private.reported_text(w.type, w.id),
    (select h.mux_playback_id from public.highlights h where w.type = 'highlight' and h.id = w.id),
    private.offense_count(w.owner)
  from (
    select open.type, open.id, open.owner, count(distinct open.reporter)::integer as reports,
      array_agg(distinct open.report_type) filter (where open.report_type is not null) as types,
      sum(open.flags)::integer as flags, min(open.at) as first
    from (
      select r.reported_type as type, r.reported_id as id, r.reported_user_id as owner, r.reporter_id as reporter, r.report_type,
        0 as flags, r.created_at as at
      from public.content_reports r where r.status = 'pending'
      union all
      select 'user_profile', f.user_id, f.user_id, null, null, 1, f.created_at
      from public.account_flags f where f.reviewed_at is null) open
    group by 1, 2, 3) w
  join public.profiles p on p.id = w.owner
  order by w.first, w.id
  limit least(max_rows, 200) offset skip_rows;
end;
$$;

create function private.offense_count(account uuid) returns integer
language sql stable security definer set search_path = ''
as $$
  select count(*)::integer from private.moderation_actions a
  where a.user_id = account and a.action in ('warn', 'restrict') and a.created_at > now() - interval '90 days';
$$;

-- A decision: `dismiss` (no offense), `remove` (deletes the content, or clears the profile's texts; an offense), `warn` (an
-- offense), `restrict` (an offense, refused for the first one), `lift` (ends a restriction). Returns the consequence:
-- {"action": "restrict", "until": "…"}. PT404: no such content; PT409: not possible now.
create function public.moderate(action text, target_type text, target_id uuid, reason text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  owner uuid;
  content text;
  earlier integer;
  consequence text;
  ends timestamptz;
  entry uuid;
begin
  perform private.require_moderator();
  -- Like `stop_writers`, before the first row lock.
  perform pg_advisory_xact_lock(20261122);
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
      insert into private.moderation_actions (moderator_id, user_id, action, target_type, target_id, reason)
      values (auth.uid(), owner, 'remove', moderate.target_type, moderate.target_id, moderate.reason);
    else raise check_violation using message = 'the action is not known';
  end case;

  consequence := case
    when moderate.action in ('dismiss', 'lift') then moderate.action
    when earlier = 0 then 'warn' else 'restrict' end;
  if consequence = 'restrict' then
    ends := greatest(
      private.restricted_until(owner), now() + case earlier when 1 then interval '7 days' else interval '30 days' end);
  end if;
  insert into private.moderation_actions (moderator_id, user_id, action, target_type, target_id, reason, until)
  values (auth.uid(), owner, consequence, moderate.target_type, moderate.target_id, moderate.reason, ends)
  returning id into entry;
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

-- The log, the newest first.
create function public.moderation_log(max_rows integer default 50, before timestamptz default null)
returns table (
  id uuid, moderator_id uuid, user_id uuid, action text, target_type text, target_id uuid, reason text,
  until timestamptz, created_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_moderator();
  return query
  select a.id, a.moderator_id, a.user_id, a.action, a.target_type, a.target_id, a.reason, a.until, a.created_at
  from private.moderation_actions a where a.created_at < coalesce(before, 'infinity')
  order by a.created_at desc limit least(max_rows, 200);
end;
$$;

revoke all on function
  private.refuse_changes(), private.restricted_until(uuid), private.refuse_restricted_upload(), private.refuse_restricted_change(),
  private.refuse_reported_id(), private.require_moderator(), private.reported_text(text, uuid), private.offense_count(uuid)
  from public;
revoke all on function
  public.restricted_until(), public.moderation_queue(integer, integer), public.moderate(text, text, uuid, text),
  public.moderation_log(integer, timestamptz)
  from public, anon, authenticated, service_role;
grant execute on function
  public.restricted_until(), public.moderation_queue(integer, integer), public.moderate(text, text, uuid, text),
  public.moderation_log(integer, timestamptz)
  to authenticated;
