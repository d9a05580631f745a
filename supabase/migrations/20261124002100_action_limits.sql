-- Limits for comments, follows and follow requests. Each of them notifies a person, and deleting and repeating it would notify
-- that person again and again.

insert into public.rate_limits (name, max_count, window_seconds) values ('comments', 30, 600), ('follows', 60, 3600);

-- Kept after the comment or follow is deleted, so that deleting one doesn't reduce the count.
create table private.limited_actions (
  user_id uuid not null references public.profiles (id) on delete cascade,
  name text not null references public.rate_limits (name),
  created_at timestamptz not null default now()
);
create index limited_actions_user on private.limited_actions (user_id, name, created_at);
create index limited_actions_name on private.limited_actions (name);
alter table private.limited_actions enable row level security;

-- Refuses an action above the limit (PT429). The arguments are the name of the limit and the column of the account. Actions of
-- the service role and accepted requests don't count. Simultaneous requests don't see each other, so a few more may succeed.
create function private.limit_action() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  account uuid := (to_jsonb(new) ->> tg_argv[1])::uuid;
  rule public.rate_limits;
begin
  if auth.uid() is distinct from account then return null; end if;
  select * into strict rule from public.rate_limits r where r.name = tg_argv[0];
  delete from private.limited_actions where ctid = any (array(
    select a.ctid from private.limited_actions a
    where a.user_id = account and a.name = rule.name and a.created_at <= now() - make_interval(secs => rule.window_seconds)
    for update skip locked));
  if rule.max_count <= (
    select count(*) from private.limited_actions a
    where a.user_id = account and a.name = rule.name and a.created_at > now() - make_interval(secs => rule.window_seconds))
  then
    raise sqlstate 'PT429' using message = format('at most %s %s in %s seconds', rule.max_count, rule.name, rule.window_seconds);
  end if;
  insert into private.limited_actions (user_id, name) values (account, rule.name);
  return null;
end;
$$;

create trigger limit_action after insert on public.comments
  for each row execute function private.limit_action('comments', 'author_id');
create trigger limit_action after insert on public.follows
  for each row execute function private.limit_action('follows', 'follower_id');
create trigger limit_action after insert on public.follow_requests
  for each row execute function private.limit_action('follows', 'requester_id');

revoke all on function private.limit_action() from public;
