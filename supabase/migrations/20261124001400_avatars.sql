-- Avatars in the Storage: a public bucket in which each account writes only to its own folder. The sizes and types are the
-- bucket's limits; clients remove metadata before the upload.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('avatars', 'avatars', true, 1048576, '{image/jpeg,image/png,image/webp}')
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit, allowed_mime_types = excluded.allowed_mime_types;

-- Everyone reads a public bucket by URL, without a policy. Replacing and deleting a file need to find it.
create policy avatars_select on storage.objects for select to authenticated
  using (bucket_id = 'avatars' and storage.foldername(name) = array[(select auth.uid())::text]);
create policy avatars_insert on storage.objects for insert to authenticated
  with check (bucket_id = 'avatars' and storage.foldername(name) = array[(select auth.uid())::text]);
create policy avatars_update on storage.objects for update to authenticated
  using (bucket_id = 'avatars' and storage.foldername(name) = array[(select auth.uid())::text]);
create policy avatars_delete on storage.objects for delete to authenticated
  using (bucket_id = 'avatars' and storage.foldername(name) = array[(select auth.uid())::text]);
