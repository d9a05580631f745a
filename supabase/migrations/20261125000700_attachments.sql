-- Pictures that belong to interactions, in a private bucket of the Storage, in a folder with the interaction's ID. Clients
-- remove their metadata before the upload, and list them in `interactions.attachments` as `attachments/INTERACTION/NAME`.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('attachments', 'attachments', false, 4194304, '{image/jpeg,image/png,image/webp}')
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit, allowed_mime_types = excluded.allowed_mime_types;

-- Whether the account sees the interaction of a file and, to write, has logged it. The policies of `interactions` apply.
create function private.may_use_attachment(file text, writes boolean) returns boolean
language sql stable set search_path = ''
as $$
  select case when file ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}$' then exists (
    select from public.interactions i
    where i.id = split_part(file, '/', 1)::uuid and (not writes or i.logged_by = auth.uid()))
  else false end;
$$;

-- Whether an interaction has less than 20 files, or the file replaces one of them. The names sort between `ID/` and `ID0`,
-- because 0 follows the slash.
create function private.has_room_for_attachment(file text) returns boolean
language sql stable set search_path = ''
as $$
  select count(*) < 20 or bool_or(o.name = file) from storage.objects o
  where o.bucket_id = 'attachments' and o.name collate "C" >= split_part(file, '/', 1) || '/'
    and o.name collate "C" < split_part(file, '/', 1) || '0';
$$;

create policy attachments_select on storage.objects for select to authenticated
  using (bucket_id = 'attachments' and private.may_use_attachment(name, false));
create policy attachments_insert on storage.objects for insert to authenticated
  with check (
    bucket_id = 'attachments' and private.may_use_attachment(name, true) and private.has_room_for_attachment(name));
create policy attachments_update on storage.objects for update to authenticated
  using (bucket_id = 'attachments' and private.may_use_attachment(name, true));
create policy attachments_delete on storage.objects for delete to authenticated
  using (bucket_id = 'attachments' and private.may_use_attachment(name, true));

-- The sweep also removes the folders of deleted interactions.
create trigger leave_folder after delete on public.interactions
  for each row execute function private.leave_folder();

revoke all on function private.may_use_attachment(text, boolean), private.has_room_for_attachment(text) from public;
grant execute on function private.may_use_attachment(text, boolean), private.has_room_for_attachment(text) to authenticated;
