-- Live comments, likes and notifications: the tables that Supabase's Realtime reads. It applies each table's select policies
-- for the subscriber; of deleted rows it sends only the primary key.
do $$
begin
  -- A project has it from the beginning.
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
end;
$$;
alter publication supabase_realtime add table public.comments, public.likes, public.comment_reactions, public.notifications;
