-- The sweep learns which files deleted accounts left.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob', 'eve');
insert into storage.buckets (id, name) values ('videos', 'videos') on conflict do nothing;
insert into storage.objects (bucket_id, name)
select bucket, tests.id(who) || '/' || file
from (values ('avatars', 'ann', 'a.jpg'), ('avatars', 'ann', 'b.jpg'), ('videos', 'ann', 'deep/er/c.mp4'),
  ('attachments', 'ann', 'a.jpg'),
  ('avatars', 'bob', 'a.jpg'), ('avatars', 'eve', 'a.jpg')) as entry (bucket, who, file);
insert into storage.objects (bucket_id, name) values
  ('avatars', 'x/' || tests.id('ann') || '/a.jpg'), ('avatars', tests.id('ann') || '-2/a.jpg'),
  ('avatars', tests.id('ann') || '0/a.jpg'), ('avatars', tests.id('ann')::text);
create function tests.left() returns text language sql security definer set search_path = public as $$
  select string_agg(bucket || ' ' || case split_part(name, '/', 1)
      when tests.id('ann')::text then 'ann' when tests.id('bob')::text then 'bob' else name end
    || ' ' || substr(name, strpos(name, '/') + 1), ', ' order by bucket, name)
  from leftover_files();
$$;

select is(tests.left(), null, 'accounts that exist leave no files');
insert into account_deletions (user_id) values (tests.id('ann'));
select is(tests.left(), null, 'an account in its days of grace keeps its files');
update account_deletions set deletes_at = now();
select is((select count(*) from delete_expired_accounts()), 1::bigint, 'the account is deleted');
select is(tests.left(), 'avatars ann a.jpg, avatars ann b.jpg, videos ann deep/er/c.mp4',
  'exactly the files in the folders of the deleted account are left, and none of an interaction');
select tests.as_service();
select is((select count(*) from leftover_files(2)), 2::bigint, 'a call returns at most the given number');
select tests.as_owner();
delete from auth.users where id = tests.id('bob');
select is(tests.left(), 'avatars ann a.jpg, avatars ann b.jpg, avatars bob a.jpg, videos ann deep/er/c.mp4',
  'an account that was deleted in another way leaves files too');

insert into private.account_folders (account) values (tests.id('eve'));
select is(tests.left(), 'avatars ann a.jpg, avatars ann b.jpg, avatars bob a.jpg, videos ann deep/er/c.mp4',
  'an account that exists leaves no files in any case');
delete from private.account_folders where account = tests.id('eve');

-- The Storage removed everything; then a token that is still valid stores a file.
delete from storage.objects where name like tests.id('ann') || '/%';
select is(tests.left(), 'avatars bob a.jpg', 'removed files are not returned');
insert into storage.objects (bucket_id, name) values ('avatars', tests.id('ann') || '/late.jpg');
update private.account_folders set deleted_at = now() - interval '25 hours';
select is(tests.left(), 'avatars ann late.jpg, avatars bob a.jpg', 'a file that came later is returned, also after a day');
delete from storage.objects where name like tests.id('ann') || '/%';
select is(tests.left(), 'avatars bob a.jpg', 'files that could not be removed are returned again');
select results_eq('select account from private.account_folders', array[tests.id('bob')],
  'an empty folder is forgotten after a day');
select is(count(*), 6::bigint, 'the function itself deletes no rows of the Storage')
from storage.objects where bucket_id = 'avatars';
select tests.as_user('eve');
select throws_ok('select leftover_files()', '42501', null, 'a user cannot list files');
select tests.as_owner();
grant select on private.account_folders to authenticated;
select tests.as_user('eve');
select is_empty('select from private.account_folders', 'row-level security hides deleted accounts, even with a grant');
select tests.as_anon();
select throws_ok('select leftover_files()', '42501', null, 'a visitor cannot list files');

select * from finish();
rollback;
