-- Limits for likes and reactions, which notify a person, and for the number of an account's avatars.

insert into public.rate_limits (name, max_count, window_seconds) values ('likes', 300, 600);

create trigger limit_action after insert on public.likes
  for each row execute function private.limit_action('likes', 'user_id');
create trigger limit_action after insert on public.comment_likes
  for each row execute function private.limit_action('likes', 'user_id');
create trigger limit_action after insert on public.comment_reactions
  for each row execute function private.limit_action('likes', 'user_id');

-- Whether the account may store a file: it has less than ten, or the file replaces one of them. The names sort between
-- `ID/` and `ID0`, because 0 follows the slash.
create function private.may_store_avatar(file text) returns boolean
language sql stable set search_path = ''
as $$
  select count(*) < 10 or bool_or(o.name = file) from storage.objects o
  where o.bucket_id = 'avatars' and o.name collate "C" >= auth.uid()::text || '/' and o.name collate "C" < auth.uid()::text || '0';
$$;

alter policy avatars_insert on storage.objects
  with check (
    bucket_id = 'avatars' and storage.foldername(name) = array[(select auth.uid())::text] and private.may_store_avatar(name));

revoke all on function private.may_store_avatar(text) from public;
grant execute on function private.may_store_avatar(text) to authenticated;
