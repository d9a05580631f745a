-- At most one poll per highlight, and one vote per person and poll. A vote may be moved (the app upserts it).

create table public.polls (
  id uuid primary key default gen_random_uuid(),
  highlight_id uuid not null unique references public.highlights (id) on delete cascade,
  question text not null check (question ~ '\S' and private.fits(question, 300)),
  total_votes integer not null default 0 check (total_votes >= 0),
  created_at timestamptz not null default now()
);

create table public.poll_options (
  id uuid primary key default gen_random_uuid(),
  poll_id uuid not null references public.polls (id) on delete cascade,
  text text not null check (text ~ '\S' and private.fits(text, 100)),
  vote_count integer not null default 0 check (vote_count >= 0),
  sort_order integer not null default 0,
  created_at timestamptz not null default now(),
  -- For the foreign key of votes.
  unique (poll_id, id)
);

create table public.poll_votes (
  id uuid primary key default gen_random_uuid(),
  poll_id uuid not null,
  option_id uuid not null,
  user_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (poll_id, user_id),
  -- The option must belong to this poll.
  constraint poll_votes_option_id_fkey
    foreign key (poll_id, option_id) references public.poll_options (poll_id, id) on delete cascade
);
create index poll_votes_option on public.poll_votes (poll_id, option_id);
create index poll_votes_user on public.poll_votes (user_id);

-- Counters are not granted. An upsert writes all its columns, so both IDs are granted; the row rules protect them.
alter table public.polls enable row level security;
alter table public.poll_options enable row level security;
alter table public.poll_votes enable row level security;
revoke all on public.polls, public.poll_options, public.poll_votes from anon, authenticated;
grant select on public.polls, public.poll_options to anon;
grant select, delete on public.polls to authenticated;
grant select on public.poll_options to authenticated;
grant select, delete on public.poll_votes to authenticated;
grant insert (highlight_id, question) on public.polls to authenticated;
grant insert (poll_id, text, sort_order) on public.poll_options to authenticated;
grant insert (poll_id, option_id, user_id), update (poll_id, option_id, user_id) on public.poll_votes to authenticated;

-- Moving a vote counts as removing one and adding one.
create function private.count_poll_votes() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.add_votes(array_agg(poll_id), array_agg(option_id), 1) from came;
  elsif tg_op = 'DELETE' then
    perform private.add_votes(array_agg(poll_id), array_agg(option_id), -1) from went;
  else
    perform private.add_votes(array_agg(poll_id), array_agg(option_id), -1) from went;
    perform private.add_votes(array_agg(poll_id), array_agg(option_id), 1) from came;
  end if;
  return null;
end;
$$;

-- The poll's lock serializes all votes of a poll, so its options need no order.
create function private.add_votes(poll_ids uuid[], option_ids uuid[], step integer) returns void
language plpgsql set search_path = ''
as $$
begin
  perform from public.polls where id = any(poll_ids) order by id for no key update;
  update public.polls p set total_votes = greatest(total_votes + step * v.number, 0)
  from (select id, count(*) as number from unnest(poll_ids) as id group by 1) v where p.id = v.id;
  update public.poll_options o set vote_count = greatest(vote_count + step * v.number, 0)
  from (select id, count(*) as number from unnest(option_ids) as id group by 1) v where o.id = v.id;
end;
$$;

create trigger stop_writers before delete on public.polls
  for each statement execute function private.stop_writers();
create trigger join_writers before insert or update or delete on public.poll_votes
  for each statement execute function private.join_writers();
create trigger count_new after insert on public.poll_votes referencing new table as came
  for each statement execute function private.count_poll_votes();
create trigger count_moved after update on public.poll_votes referencing old table as went new table as came
  for each statement execute function private.count_poll_votes();
create trigger count_gone after delete on public.poll_votes referencing old table as went
  for each statement execute function private.count_poll_votes();

revoke all on function private.add_votes(uuid[], uuid[], integer), private.count_poll_votes() from public;
