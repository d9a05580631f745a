-- Clients choose the IDs of reports, like those of comments. A client that lost the response can then insert the report again:
-- the second insert fails with 23505 if the first one succeeded.
grant insert (id) on public.content_reports to authenticated;
