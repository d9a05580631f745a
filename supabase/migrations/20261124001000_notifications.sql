-- Notifications: likes, comments, mentions, follows, requests and their acceptance, reactions, and moderators' notices.

-- One row per event. Grouping them while they are written would lock a popular author's row for each like, so
-- `notification_groups` groups a page when it is read.
create table public.notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  kind text not null check (kind in (
    'like', 'comment', 'mention', 'follow', 'request', 'accepted', 'comment_like', 'reaction', 'moderation')),
  -- Null for moderators.
  actor_id uuid references public.profiles (id) on delete cascade,
  highlight_id uuid references public.highlights (id) on delete cascade,
  comment_id uuid references public.comments (id) on delete cascade,
  -- The row that caused it, such as the like. Deleting that row deletes the notification.
  cause uuid not null,
  -- A moderator's decision.
  details jsonb,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  unique (cause, user_id, kind)
);
create index notifications_newest on public.notifications (user_id, created_at desc);
create index notifications_unread on public.notifications (user_id, created_at) where read_at is null;
create index notifications_actor on public.notifications (actor_id);
create index notifications_highlight on public.notifications (highlight_id);
create index notifications_comment on public.notifications (comment_id);
create index notifications_oldest on public.notifications (created_at);
alter table public.notifications enable row level security;
revoke all on public.notifications from anon, authenticated;
grant select on public.notifications to authenticated;

-- Whether the caller sees one of their notifications: not those of muted people, and not about highlights that they can't see
-- (any more). Comments aren't checked separately, because each is the actor's or the recipient's.
create function private.can_see_notification(actor uuid, highlight uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (actor is null or private.can_see_profile(actor) and not private.is_muted(actor))
    and (highlight is null or exists (
      select from public.highlights h
      where h.id = highlight and private.can_see_highlight(h.author_id, h.privacy_level, h.is_ready)));
end;
$$;

create policy notifications_select on public.notifications for select to authenticated
  using (user_id = (select auth.uid()) and private.can_see_notification(actor_id, highlight_id));

create function private.notify(
  recipient uuid, kind text, actor uuid, cause uuid, highlight uuid default null, comment uuid default null
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if recipient = actor then return; end if;
  insert into public.notifications (user_id, kind, actor_id, cause, highlight_id, comment_id)
  values (recipient, notify.kind, actor, notify.cause, highlight, comment) on conflict do nothing;
end;
$$;

create function private.notify_like() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.notify(h.author_id, 'like', new.user_id, new.id, h.id) from public.highlights h where h.id = new.highlight_id;
  return null;
end;
$$;

-- After the mentions were found: an author who is mentioned in a comment gets one notification.
create function private.notify_comment() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.notify(h.author_id, 'comment', new.author_id, new.id, h.id, new.id)
  from public.highlights h
  where h.id = new.highlight_id and not exists (
    select from public.mentions m where m.comment_id = new.id and m.profile_id = h.author_id);
  return null;
end;
$$;

create function private.notify_mention() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.notify(new.profile_id, 'mention', author, new.id, new.highlight_id, new.comment_id)
  from (
    select coalesce(
      (select c.author_id from public.comments c where c.id = new.comment_id),
      (select h.author_id from public.highlights h where h.id = new.highlight_id)) as author) writer;
  return null;
end;
$$;

-- The followed person inserts the row only by accepting a request.
create function private.notify_follow() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if auth.uid() = new.following_id then
    perform private.notify(new.follower_id, 'accepted', new.following_id, new.id);
  else
    perform private.notify(new.following_id, 'follow', new.follower_id, new.id);
  end if;
  return null;
end;
$$;

create function private.notify_request() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.notify(new.target_id, 'request', new.requester_id, new.id);
  return null;
end;
$$;

-- For likes of comments and reactions; the argument is the kind.
create function private.notify_comment_author() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.notify(c.author_id, tg_argv[0], new.user_id, new.id, c.highlight_id, c.id)
  from public.comments c where c.id = new.comment_id;
  return null;
end;
$$;

create trigger notify after insert on public.likes for each row execute function private.notify_like();
create trigger notify after insert on public.comments for each row execute function private.notify_comment();
create trigger notify after insert on public.mentions for each row execute function private.notify_mention();
create trigger notify after insert on public.follows for each row execute function private.notify_follow();
create trigger notify after insert on public.follow_requests for each row execute function private.notify_request();
create trigger notify after insert on public.comment_likes
  for each row execute function private.notify_comment_author('comment_like');
create trigger notify after insert on public.comment_reactions
  for each row execute function private.notify_comment_author('reaction');

create function private.forget_notifications() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- In one order, because marking as read locks several rows, too.
  perform from public.notifications n where n.cause in (select id from gone) order by n.id for update;
  delete from public.notifications n where n.cause in (select id from gone);
  return null;
end;
$$;

create trigger forget_notifications after delete on public.likes referencing old table as gone
  for each statement execute function private.forget_notifications();
create trigger forget_notifications after delete on public.mentions referencing old table as gone
  for each statement execute function private.forget_notifications();
create trigger forget_notifications after delete on public.follows referencing old table as gone
  for each statement execute function private.forget_notifications();
create trigger forget_notifications after delete on public.follow_requests referencing old table as gone
  for each statement execute function private.forget_notifications();
create trigger forget_notifications after delete on public.comment_likes referencing old table as gone
  for each statement execute function private.forget_notifications();
create trigger forget_notifications after delete on public.comment_reactions referencing old table as gone
  for each statement execute function private.forget_notifications();

-- The newest 100 notifications before a time, grouped: likes and comments by highlight, likes and reactions by comment, all
-- follows, and others separately. For the next page, `before` is the smallest `oldest`.
create function public.notification_groups(before timestamptz default null)
returns table (
  kind text, highlight_id uuid, comment_id uuid, actor_ids uuid[], actor_count integer, is_read boolean, details jsonb,
  newest timestamptz, oldest timestamptz)
language sql stable
as $$
  select n.kind, n.highlight_id, (array_agg(n.comment_id order by n.created_at desc))[1],
    (array_agg(distinct n.actor_id) filter (where n.actor_id is not null))[1:3], count(distinct n.actor_id)::integer,
    bool_and(n.read_at is not null), (array_agg(n.details))[1], max(n.created_at), min(n.created_at)
  from (
    select * from public.notifications m
    where m.user_id = (select auth.uid()) and m.created_at < coalesce(before, 'infinity')
    order by m.created_at desc limit 100) n
  group by n.kind, n.highlight_id,
    case when n.kind in ('comment_like', 'reaction') then n.comment_id
      when n.kind not in ('like', 'comment', 'follow') then n.id end
  order by max(n.created_at) desc, n.kind, n.highlight_id;
$$;

-- For a badge: at most 100.
create function public.unread_notifications() returns integer
language sql stable
as $$
  select count(*)::integer from (
    select from public.notifications n where n.user_id = (select auth.uid()) and n.read_at is null
    order by n.created_at limit 100) unread;
$$;

-- Marks the notifications until the newest one that was shown.
create function public.mark_notifications_read(until timestamptz default now()) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- Like `join_writers`, before the first row lock: deleting a highlight locks its notifications in another order.
  perform pg_advisory_xact_lock_shared(20261122);
  perform from public.notifications n where n.user_id = auth.uid() and n.read_at is null and n.created_at <= until
  order by n.id for update;
  update public.notifications n set read_at = now()
  where n.user_id = auth.uid() and n.read_at is null and n.created_at <= until;
end;
$$;

-- For a schedule: notifications older than 90 days.
create function public.forget_old_notifications(max_rows integer default 10000) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  number integer;
begin
  delete from public.notifications where id in (
    select n.id from public.notifications n where n.created_at < now() - interval '90 days'
    order by n.created_at limit max_rows for update skip locked);
  get diagnostics number = row_count;
  return number;
end;
$$;

revoke all on function
  private.notify(uuid, text, uuid, uuid, uuid, uuid), private.notify_like(), private.notify_comment(),
  private.notify_mention(), private.notify_follow(), private.notify_request(), private.notify_comment_author(),
  private.forget_notifications(), private.can_see_notification(uuid, uuid)
  from public;
grant execute on function private.can_see_notification(uuid, uuid) to authenticated;
revoke all on function
  public.notification_groups(timestamptz), public.unread_notifications(), public.mark_notifications_read(timestamptz),
  public.forget_old_notifications(integer)
  from public, anon, authenticated, service_role;
grant execute on function
  public.notification_groups(timestamptz), public.unread_notifications(), public.mark_notifications_read(timestamptz)
  to authenticated;
grant execute on function public.forget_old_notifications(integer) to service_role;
