-- The leftover files of interactions are separate from those of accounts. Clients choose the IDs of interactions. An account
-- could insert and delete an interaction with the ID of another account, and the sweep removed that account's files. And the
-- ID of a deleted interaction could be used again at once: with the new one, an account could read the old pictures.

-- The folders of deleted interactions in the bucket `attachments`. A file can arrive during the deletion, so the sweep
-- searches the folder for a day.
create table private.interaction_folders (
  interaction uuid primary key,
  deleted_at timestamptz not null default now()
);
alter table private.interaction_folders enable row level security;

create function private.leave_attachments() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.interaction_folders (interaction) values (old.id) on conflict do nothing;
  return null;
end;
$$;
create trigger leave_attachments after delete on public.interactions
  for each row execute function private.leave_attachments();
drop trigger leave_folder on public.interactions;

-- Earlier versions stored both kinds in one table. An account that exists left no folder.
insert into private.interaction_folders
select f.account, f.deleted_at from private.account_folders f
where not exists (select from public.interactions i where i.id = f.account);
delete from private.account_folders f where exists (select from public.profiles p where p.id = f.account);

-- Refuses the ID of an account, and that of an interaction whose pictures may still be stored. After the insert, because an
-- insert waits for a concurrent deletion of the same ID.
create function private.refuse_used_id() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from private.interaction_folders f where f.interaction = new.id)
    or exists (select from public.profiles p where p.id = new.id)
  then
    raise insufficient_privilege using message = 'the ID was used before';
  end if;
  return null;
end;
$$;
create trigger refuse_used_id after insert on public.interactions
  for each row execute function private.refuse_used_id();

-- Files of deleted accounts and interactions, in random order, so that files that can't be removed don't block the others.
-- The bounds of a name (0 follows the slash) use the Storage's index for prefixes. In `attachments`, folders belong to
-- interactions, and in all other buckets to accounts.
create or replace function public.leftover_files(max_rows integer default 200) returns table (bucket text, name text)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  delete from private.account_folders f
  where f.deleted_at < now() - interval '1 day' and not exists (
    select from storage.objects o
    where o.bucket_id <> 'attachments' and o.name ~>=~ (f.account || '/') and o.name ~<~ (f.account || '0'));
  delete from private.interaction_folders f
  where f.deleted_at < now() - interval '1 day' and not exists (
    select from storage.objects o
    where o.bucket_id = 'attachments' and o.name ~>=~ (f.interaction || '/') and o.name ~<~ (f.interaction || '0'));
  return query
  select o.bucket_id, o.name
  from (
    select a.account as folder, false as has_attachments from private.account_folders a
    where not exists (select from public.profiles p where p.id = a.account)
    union all
    select i.interaction, true from private.interaction_folders i
    where not exists (select from public.interactions n where n.id = i.interaction)) f
  join storage.objects o on o.name ~>=~ (f.folder || '/') and o.name ~<~ (f.folder || '0')
    and (o.bucket_id = 'attachments') = f.has_attachments
  order by random() limit max_rows;
end;
$$;

revoke all on function private.leave_attachments(), private.refuse_used_id() from public;
