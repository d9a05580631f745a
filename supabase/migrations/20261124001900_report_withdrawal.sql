-- Reporters can withdraw a report until a moderator has decided about it. Then it is part of the decision.

-- Deletes a report of the caller. PT404: no such report; PT409: it has been reviewed.
create function public.withdraw_report(report uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- A decision at the same moment locks the row, and the condition is checked again after it.
  delete from public.content_reports r
  where r.id = withdraw_report.report and r.reporter_id = auth.uid() and r.status = 'pending';
  if found then return; end if;
  if exists (
    select from public.content_reports r where r.id = withdraw_report.report and r.reporter_id = auth.uid())
  then
    raise sqlstate 'PT409' using message = 'the report has been reviewed';
  end if;
  raise sqlstate 'PT404' using message = 'the report does not exist';
end;
$$;

revoke all on function public.withdraw_report(uuid) from public, anon, authenticated, service_role;
grant execute on function public.withdraw_report(uuid) to authenticated;
