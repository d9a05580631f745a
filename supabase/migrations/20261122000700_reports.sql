-- User reports for moderators, who use the service role.

create table public.content_reports (
  id uuid primary key default gen_random_uuid(),
  reporter_id uuid not null references public.profiles (id) on delete cascade,
  reported_type text not null check (reported_type in ('highlight', 'comment', 'user_profile')),
  reported_id uuid not null,
  -- The owner of the reported content. Set by the trigger, because moderators act on it.
  reported_user_id uuid not null references public.profiles (id) on delete cascade,
  report_type text not null check (report_type in ('inappropriate', 'spam', 'not_sports', 'harassment')),
  description text check (private.fits(description, 1000)),
  status text not null default 'pending' check (status in ('pending', 'reviewed', 'action_taken', 'dismissed')),
  reviewed_at timestamptz,
  created_at timestamptz not null default now()
);
create index content_reports_reporter on public.content_reports (reporter_id, created_at desc);
create index content_reports_reported_user on public.content_reports (reported_user_id);
create index content_reports_queue on public.content_reports (created_at) where status = 'pending';

-- Only moderators write status and review. The report itself never changes.
alter table public.content_reports enable row level security;
revoke all on public.content_reports from anon, authenticated;
grant select on public.content_reports to authenticated;
grant insert (reporter_id, reported_type, reported_id, reported_user_id, report_type, description)
  on public.content_reports to authenticated;

create function private.find_reported_user() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.reported_user_id := case new.reported_type
    when 'highlight' then (select author_id from public.highlights where id = new.reported_id)
    when 'comment' then (select author_id from public.comments where id = new.reported_id)
    when 'user_profile' then (select id from public.profiles where id = new.reported_id)
  end;
  return new;
end;
$$;
revoke all on function private.find_reported_user() from public;

create trigger find_reported_user before insert on public.content_reports
  for each row execute function private.find_reported_user();
