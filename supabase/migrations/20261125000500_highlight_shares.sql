-- Links that show one highlight to one coach, without an account.
--
-- The sender's program makes the token and the ID, so that a request that is sent again after a lost answer finds what the
-- first one did. Only the token's hash is stored here.

create table public.highlight_shares (
  id uuid primary key default gen_random_uuid(),
  highlight_id uuid not null references public.highlights (id) on delete cascade,
  -- The coach's family, by the foreign key below.
  family_unit_id uuid not null,
  coach_id uuid not null,
  interaction_id uuid,
  sent_by uuid not null references public.profiles (id) on delete cascade,
  channel text not null check (channel in ('email', 'dm', 'tweet', 'text')),
  token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  first_opened_at timestamptz,
  open_count integer not null default 0 check (open_count >= 0),
  check ((open_count = 0) = (first_opened_at is null)),
  foreign key (coach_id, family_unit_id) references public.coaches (id, family_unit_id) on delete cascade,
  -- The link works without the interaction.
  foreign key (interaction_id, family_unit_id) references public.interactions (id, family_unit_id)
    on delete set null (interaction_id)
);
create index highlight_shares_highlight on public.highlight_shares (highlight_id);
create index highlight_shares_family on public.highlight_shares (family_unit_id, created_at desc);
create index highlight_shares_coach on public.highlight_shares (coach_id, family_unit_id, created_at desc);
create index highlight_shares_interaction on public.highlight_shares (interaction_id, family_unit_id);
create index highlight_shares_sender on public.highlight_shares (sent_by, family_unit_id);

alter table public.highlight_shares enable row level security;
revoke all on public.highlight_shares from anon, authenticated;
grant select on public.highlight_shares to authenticated;

-- Like interactions.
create policy highlight_shares_select on public.highlight_shares for select to authenticated
  using (
    sent_by = (select auth.uid()) and family_unit_id in (select private.my_families())
    or family_unit_id in (select private.my_families('parent')));

create function private.hash_token(token text) returns text
language sql immutable
as $$
  select encode(sha256(convert_to(token, 'UTF8')), 'hex');
$$;

-- Makes a link to a highlight, logs the outbound interaction, and sets the coach's last contact, or does nothing if the same
-- request was executed before. `message` is the interaction's text, with the link. Only an athlete sends, and only own
-- highlights. 42501: not an athlete of the family, or the account is restricted; PT404: no such highlight, or no such coach
-- in the family; PT409: the video is not ready, or the ID or the token was used for another link.
create function public.send_highlight(
  id uuid, token text, family uuid, highlight uuid, coach uuid, channel text, message text default null,
  expires_at timestamptz default now() + interval '90 days'
) returns public.highlight_shares
language plpgsql security definer set search_path = ''
as $$
declare
  stored public.highlight_shares;
  clip public.highlights;
  recipient public.coaches;
  contact uuid;
begin
  -- Like `join_writers`, before the first row lock.
  perform pg_advisory_xact_lock_shared(20261122);
  perform private.require_family(family, 'athlete');
  if token is null or token !~ '^[A-Za-z0-9_-]{22,64}$' then
    raise check_violation using message = 'the token must have 22 to 64 characters of base64url';
  end if;
  -- Two requests with the same ID wait for each other here.
  perform pg_advisory_xact_lock(hashtextextended(send_highlight.id::text, 20261125));
  select * into stored from public.highlight_shares s
  where s.id = send_highlight.id or s.token_hash = private.hash_token(token) order by s.id = send_highlight.id desc limit 1;
  if stored.id is not null then
    if (stored.id, stored.token_hash, stored.sent_by, stored.family_unit_id, stored.highlight_id, stored.coach_id, stored.channel)
      is distinct from
      (send_highlight.id, private.hash_token(token), auth.uid(), family, highlight, coach, send_highlight.channel)
    then
      raise sqlstate 'PT409' using message = 'the ID or the token belongs to another link';
    end if;
    return stored;
  end if;
  if private.restricted_until(auth.uid()) is not null then
    raise insufficient_privilege using message = 'the account is restricted';
  end if;
  if send_highlight.expires_at is null or send_highlight.expires_at <= now()
    or send_highlight.expires_at > now() + interval '1 year' then
    raise check_violation using message = 'a link expires within a year';
  end if;
  select * into clip from public.highlights h where h.id = highlight and h.author_id = auth.uid();
  if clip.id is null then raise sqlstate 'PT404' using message = 'the highlight does not exist'; end if;
  if not clip.is_ready then raise sqlstate 'PT409' using message = 'the video is not ready'; end if;
  select * into recipient from public.coaches c where c.id = coach and c.family_unit_id = family;
  if recipient.id is null then raise sqlstate 'PT404' using message = 'the coach does not exist'; end if;

  -- The trigger sets the last contact.
  insert into public.interactions (family_unit_id, logged_by, type, direction, school_id, coach_id, subject, content)
  values (family, auth.uid(), send_highlight.channel, 'outbound', recipient.school_id, recipient.id,
    coalesce(nullif(btrim(left(clip.caption, 200)), ''), 'Highlight'), message)
  returning interactions.id into contact;
  insert into public.highlight_shares as s (
    id, highlight_id, family_unit_id, coach_id, interaction_id, sent_by, channel, token_hash, expires_at)
  values (send_highlight.id, clip.id, family, recipient.id, contact, auth.uid(), send_highlight.channel,
    private.hash_token(token), send_highlight.expires_at)
  returning * into stored;
  return stored;
end;
$$;

-- Ends a link. The sender and parents may. PT404: no such link of the caller. Again: nothing changes.
create function public.revoke_highlight_share(id uuid) returns timestamptz
language plpgsql security definer set search_path = ''
as $$
declare
  time timestamptz;
begin
  perform pg_advisory_xact_lock_shared(20261122);
  update public.highlight_shares s set revoked_at = coalesce(s.revoked_at, now())
  where s.id = revoke_highlight_share.id and (
    s.sent_by = auth.uid() and s.family_unit_id in (select private.my_families())
    or s.family_unit_id in (select private.my_families('parent')))
  returning s.revoked_at into time;
  if not found then raise sqlstate 'PT404' using message = 'the link does not exist'; end if;
  return time;
end;
$$;

-- The content of a link's page, for the server of that page. Counts the opening, except if `viewer` is a member of the
-- family or `is_counted` is false. A revocation and an opening at the same time: one waits for the other. PT404: no such
-- link, or its highlight or author is gone; PT410: revoked or expired. `clips` has the playback IDs like `playback_ids`, which
-- the server signs; null for videos that Mux doesn't have, which `mux_playback_id` and `video_urls` contain.
create function public.open_highlight_share(token text, viewer uuid default null, is_counted boolean default true)
returns table (
  share_id uuid, highlight_id uuid, caption text, duration double precision, mux_playback_id text, video_urls text[],
  thumbnail_url text, clips jsonb, display_name text, team_name text, created_at timestamptz, expires_at timestamptz)
language plpgsql security definer set search_path = ''
as $$
declare
  share public.highlight_shares;
begin
  perform pg_advisory_xact_lock_shared(20261122);
  select * into share from public.highlight_shares s where s.token_hash = private.hash_token(token) for no key update;
  if share.id is null
    or exists (select from public.account_deletions d where d.user_id = share.sent_by)
    or not exists (select from public.highlights h where h.id = share.highlight_id and h.is_ready)
  then
    raise sqlstate 'PT404' using message = 'the link does not exist';
  end if;
  if share.revoked_at is not null then raise sqlstate 'PT410' using message = 'the link was revoked'; end if;
  if share.expires_at <= now() then raise sqlstate 'PT410' using message = 'the link has expired'; end if;
  if is_counted and not exists (
    select from public.family_members m where m.family_unit_id = share.family_unit_id and m.user_id = viewer) then
    update public.highlight_shares s
    set open_count = s.open_count + 1, first_opened_at = coalesce(s.first_opened_at, now()) where s.id = share.id;
  end if;
  return query
  select share.id, h.id, h.caption, h.duration, h.mux_playback_id, h.video_urls, h.thumbnail_url,
    (select jsonb_agg(jsonb_build_object('part', b.part, 'is_signed', b.is_closed or b.public_id is null,
        'playback_id', case when b.is_closed then b.signed_id else coalesce(b.public_id, b.signed_id) end) order by b.part)
      from private.playbacks b where b.highlight_id = h.id),
    p.display_name, p.team_name,
    h.created_at, share.expires_at
  from public.highlights h join public.profiles p on p.id = h.author_id where h.id = share.highlight_id;
end;
$$;

-- The links of a member who leaves or is removed end, because the member could no longer see or revoke them. If the family
-- is deleted, its links are also deleted.
create function private.revoke_links() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.highlight_shares s set revoked_at = now()
  from gone g where s.family_unit_id = g.family_unit_id and s.sent_by = g.user_id and s.revoked_at is null
    and exists (select from public.family_units f where f.id = g.family_unit_id);
  return null;
end;
$$;
create trigger revoke_links after delete on public.family_members referencing old table as gone
  for each statement execute function private.revoke_links();

revoke all on function private.hash_token(text), private.revoke_links() from public;
revoke all on function
  public.send_highlight(uuid, text, uuid, uuid, uuid, text, text, timestamptz), public.revoke_highlight_share(uuid),
  public.open_highlight_share(text, uuid, boolean)
  from public, anon, authenticated, service_role;
grant execute on function
  public.send_highlight(uuid, text, uuid, uuid, uuid, text, text, timestamptz), public.revoke_highlight_share(uuid)
  to authenticated;
grant execute on function public.open_highlight_share(text, uuid, boolean) to service_role;
