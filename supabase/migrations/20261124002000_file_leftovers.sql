-- The files of deleted accounts. The sweep removes them through the Storage's API, because deleting a row of
-- `storage.objects` would leave its file.

-- Each account has a folder with its ID in every bucket. A token is valid for up to an hour after its account was deleted and
-- could still store a file, so the sweep searches the folder for a day.
create table private.account_folders (
  account uuid primary key,
  deleted_at timestamptz not null default now()
);
alter table private.account_folders enable row level security;

create function private.leave_folder() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.account_folders (account) values (old.id) on conflict do nothing;
  return null;
end;
$$;
create trigger leave_folder after delete on public.profiles
  for each row execute function private.leave_folder();

-- Files of deleted accounts, in random order, so that files that can't be removed don't block the others. The bounds of a name
-- (0 follows the slash) use the Storage's index for prefixes.
create function public.leftover_files(max_rows integer default 200) returns table (bucket text, name text)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  delete from private.account_folders f
  where f.deleted_at < now() - interval '1 day' and not exists (
    select from storage.objects o where o.name ~>=~ (f.account || '/') and o.name ~<~ (f.account || '0'));
  return query
  select o.bucket_id, o.name
  from private.account_folders f
  join storage.objects o on o.name ~>=~ (f.account || '/') and o.name ~<~ (f.account || '0')
  order by random() limit max_rows;
end;
$$;

revoke all on function private.leave_folder() from public;
revoke all on function public.leftover_files(integer) from public, anon, authenticated, service_role;
grant execute on function public.leftover_files(integer) to service_role;
