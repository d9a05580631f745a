-- Everything that is stored about an account, for its owner. (Deleting the row of `account_deletions` restores an account
-- during the seven days of grace.)

-- An object with a list per table. Tables are found by their references to `profiles`, so new ones can't be forgotten. Left
-- out is what would reveal others: who blocked, muted, reported or mentioned the account, and notifications that others got.
create function public.export_account() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := auth.uid();
  result jsonb := '{}';
  part record;
  list jsonb;
begin
  for part in
    select c.relname as name, n.nspname as schema, string_agg(format('t.%I = $1', a.attname), ' or ' order by a.attnum) as mine
    from pg_catalog.pg_constraint k
    join pg_catalog.pg_class c on c.oid = k.conrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
    where k.contype = 'f' and k.confrelid = 'public.profiles'::regclass and (c.relname, a.attname) not in (
      ('user_blocks', 'blocked_id'), ('user_mutes', 'muted_id'), ('content_reports', 'reported_user_id'),
      ('mentions', 'profile_id'), ('notifications', 'actor_id'))
    group by 1, 2
    union all
    select * from (values
      ('profiles', 'public', 't.id = $1'),
      ('polls', 'public', 't.highlight_id in (select id from public.highlights where author_id = $1)'),
      ('highlight_stats', 'public', 't.highlight_id in (select id from public.highlights where author_id = $1)'),
      -- It refers to the member of a family.
      ('post_notices', 'public', 't.user_id = $1'),
      ('view_events', 'private', 't.viewer = $1::text')) more
    order by 1
  loop
    execute format('select coalesce(jsonb_agg(to_jsonb(t)), %L) from %I.%I t where %s', '[]', part.schema, part.name, part.mine)
    into list using me;
    result := result || jsonb_build_object(part.name, list);
  end loop;
  return result || jsonb_build_object(
    'account', (select jsonb_build_object('id', u.id, 'email', u.email, 'created_at', u.created_at) from auth.users u where u.id = me),
    -- Decisions about the account, without the moderators' names.
    'moderation_actions', (
      select coalesce(jsonb_agg(to_jsonb(a) - 'moderator_id' order by a.created_at), '[]')
      from private.moderation_actions a where a.user_id = me));
end;
$$;

revoke all on function public.export_account() from public, anon, authenticated, service_role;
grant execute on function public.export_account() to authenticated;
