-- Clients choose the IDs of comments. A client that lost the response can then insert the comment again: the second insert
-- fails with 23505 if the first one succeeded.
grant insert (id) on public.comments to authenticated;
