-- The tables that Realtime sends. Each has policies for reading, and a primary key that says nothing.
begin;
\ir support/helpers.psql
select no_plan();
select set_eq(
  $$select schemaname || '.' || tablename from pg_publication_tables where pubname = 'supabase_realtime'$$,
  array['public.comments', 'public.likes', 'public.comment_reactions', 'public.notifications'], 'the published tables');
select is((select puballtables from pg_publication where pubname = 'supabase_realtime'), false, 'and no others');
select is_empty($$
  select tablename from pg_publication_tables t join pg_class c on c.relname = t.tablename and c.relnamespace = 'public'::regnamespace
  where pubname = 'supabase_realtime' and (not c.relrowsecurity or c.relreplident <> 'd'
    or not exists (select from pg_policies p where p.tablename = t.tablename and p.cmd = 'SELECT'))$$,
  'have row-level security, and send only the ID of a deleted row');

select * from finish();
rollback;
