-- A limit for reports, which take a moderator's time. Hidden content can still be reported: a person who harasses another can
-- block them afterward.

insert into public.rate_limits (name, max_count, window_seconds) values ('reports', 30, 3600);

create trigger limit_action after insert on public.content_reports
  for each row execute function private.limit_action('reports', 'reporter_id');
