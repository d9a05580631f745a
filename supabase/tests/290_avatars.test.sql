-- Avatars: the bucket's limits, and whose files an account may write.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob');
create function tests.store(who text, file text, bucket text default 'avatars') returns text language sql as $$
  select format('insert into storage.objects (bucket_id, name) values (%L, %L)', bucket, tests.id(who) || '/' || file);
$$;
insert into storage.buckets (id, name) values ('videos', 'videos') on conflict do nothing;
insert into storage.objects (bucket_id, name) values ('avatars', tests.id('bob') || '/a.jpg'), ('videos', tests.id('ann') || '/v.mp4'),
  ('avatars', tests.id('ann') || '/deep/a.jpg');

select results_eq($$select public, file_size_limit, allowed_mime_types from storage.buckets where id = 'avatars'$$,
  $$values (true, 1048576::bigint, '{image/jpeg,image/png,image/webp}'::text[])$$, 'the bucket is public and limited');
select tests.as_user('ann');
select lives_ok(tests.store('ann', 'a.jpg'), 'an account stores its avatar');
select throws_ok(tests.store('bob', 'b.jpg'), '42501', null, 'not that of another account');
select throws_ok(tests.store('ann', 'deep/b.jpg'), '42501', null, 'not in a deeper folder');
select throws_ok(tests.store('ann', 'b.mp4', 'videos'), '42501', null, 'not in another bucket');
select throws_ok($$insert into storage.objects (bucket_id, name) values ('avatars', 'a.jpg')$$, '42501', null, 'not without a folder');
select results_eq('select name from storage.objects', $$values (tests.id('ann') || '/a.jpg')$$, 'an account lists only its avatar');
select is(tests.touched('update storage.objects set metadata = $${}$$'), 1::bigint, 'and replaces only it');
select throws_ok($$update storage.objects set name = tests.id('bob') || '/c.jpg'$$, '42501', null, 'not by moving it');
select throws_ok($$update storage.objects set bucket_id = 'videos'$$, '42501', null, 'in folder and bucket');
select is(tests.touched('delete from storage.objects'), 1::bigint, 'and deletes only it');

-- Ten files are enough for all sizes of a picture.
select lives_ok(tests.store('ann', number || '.jpg'), 'file ' || number) from generate_series(1, 10) as number;
select throws_ok(tests.store('ann', '11.jpg'), '42501', null, 'an account has at most ten files');
select lives_ok(tests.store('ann', '1.jpg'), 'a file of them is replaced');
select tests.as_user('bob');
select lives_ok(tests.store('bob', 'b.jpg'), 'others have their own limit');
select tests.as_owner();
delete from storage.objects where bucket_id = 'avatars' and name like tests.id('ann') || '/_.jpg';
select tests.as_user('ann');
select lives_ok(tests.store('ann', '11.jpg'), 'deleted files don''t count');
select tests.as_anon();
select is_empty('select from storage.objects', 'visitors list nothing');
select throws_ok($$insert into storage.objects (bucket_id, name) values ('avatars', 'x/a.jpg')$$, '42501', null, 'and store nothing');

select * from finish();
rollback;
