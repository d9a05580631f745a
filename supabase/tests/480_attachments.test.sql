-- Pictures of interactions: whose files an account may see and write, and what a deleted interaction leaves.
begin;
\ir support/helpers.psql
\ir support/recruiting.psql
select no_plan();
select tests.sign_up('pat', 'ann', 'bea', 'eve');
select tests.family('Silva', 'parent pat', 'athlete ann', 'athlete bea'), tests.family('Okafor', 'athlete eve');
select tests.as_owner();
insert into interactions (id, family_unit_id, logged_by, type, direction) values
  (tests.id('call'), tests.id('Silva'), tests.id('ann'), 'phone_call', 'inbound');
create function tests.store(name text, bucket text default 'attachments') returns text language sql as $$
  select format('insert into storage.objects (bucket_id, name) values (%L, %L)', bucket, name);
$$;
insert into storage.buckets (id, name) values ('videos', 'videos') on conflict do nothing;

select results_eq($$select public, file_size_limit, allowed_mime_types from storage.buckets where id = 'attachments'$$,
  $$values (false, 4194304::bigint, '{image/jpeg,image/png,image/webp}'::text[])$$, 'the bucket is private and limited');
select tests.as_user('ann');
select lives_ok(tests.store(tests.id('call') || '/a.jpg'), 'the athlete stores a file');
select throws_ok(tests.store(name), '42501', null, left(name, 60) || ' is refused') from (values
  (tests.id('call') || '/deep/a.jpg'), (tests.id('call') || '/.a.jpg'), (tests.id('call')::text), ('a.jpg'),
  (tests.id('nothing') || '/a.jpg'), (upper(tests.id('call')::text) || '/b.jpg'), ('x/' || tests.id('call') || '/a.jpg'),
  (tests.id('call') || '/')) as file (name);
select throws_ok(tests.store(tests.id('call') || '/b.jpg', 'videos'), '42501', null, 'other buckets are closed');
select is(tests.touched('update storage.objects set metadata = $${}$$'), 1::bigint, 'the athlete replaces the file');
select throws_ok('update storage.objects set name = tests.id(''nothing'') || ''/a.jpg''', '42501', null, 'a file can''t move away');
select throws_ok($$update storage.objects set bucket_id = 'videos'$$, '42501', null, 'or to another bucket');
select lives_ok(tests.store(tests.id('call') || '/' || number || '.jpg'), 'file ' || number) from generate_series(2, 20) as number;
select throws_ok(tests.store(tests.id('call') || '/21.jpg'), '42501', null, 'an interaction has at most 20 files');
select lives_ok(tests.store(tests.id('call') || '/2.jpg'), 'a file of them is replaced');
select is(tests.touched($$delete from storage.objects where name not like '%/a.jpg'$$) >= 19, true, 'the athlete deletes files');

select tests.as_user('pat');
select results_eq('select name from storage.objects', array[tests.id('call') || '/a.jpg'], 'a parent sees the file');
select throws_ok(tests.store(tests.id('call') || '/p.jpg'), '42501', null, 'but stores none');
select is(tests.touched('delete from storage.objects'), 0::bigint, 'deletes none');
select is(tests.touched('update storage.objects set metadata = $${}$$'), 0::bigint, 'and replaces none');
select tests.as_user('bea');
select is_empty('select from storage.objects', 'another athlete sees no file');
select throws_ok(tests.store(tests.id('call') || '/e.jpg'), '42501', null, 'and stores none');
select tests.as_user('eve');
select is_empty('select from storage.objects', 'another family sees no file');
select throws_ok(tests.store(tests.id('call') || '/e.jpg'), '42501', null, 'and stores none');
select tests.as_anon();
select is_empty('select from storage.objects', 'visitors see no file');

-- The list of an interaction.
select is(tests.error('select list_attachment(tests.id($$call$$), ''a'')'), '42501', 'visitors list nothing');
select tests.as_user('ann');
select list_attachment(tests.id('call'), name) from unnest(array['a', 'b', 'a']) with ordinality as file (name, number) order by number;
select is((select attachments from interactions), '{a,b}', 'an attachment is listed once');
select list_attachment(tests.id('call'), 'b', false), list_attachment(tests.id('call'), 'x', false);
select is((select attachments from interactions), '{a}', 'and removed');
select is(tests.error(format('select list_attachment(tests.id(''call''), %L)', name)), '23514', 'refused')
from unnest(array['', null, repeat('x', 1025)]) as name;
select list_attachment(tests.id('call'), 'f' || number) from generate_series(1, 19) as number;
select is(tests.error('select list_attachment(tests.id(''call''), ''f20'')'), '23514', 'at most 20');
select is(tests.error('select list_attachment(tests.id(''call''), ''f1'')'), 'ok', 'one of them again');
select is(tests.error('select list_attachment(tests.id(''none''), ''a'')'), 'PT404', 'an interaction that does not exist');
select tests.as_user('pat');
select is(tests.error('select list_attachment(tests.id(''call''), ''z'')'), 'PT404', 'a parent cannot change the list');
select tests.as_user('bea');
select is(tests.error('select list_attachment(tests.id(''call''), ''z'')'), 'PT404', 'nor another athlete');
select tests.as_user('eve');
select is(tests.error('select list_attachment(tests.id(''call''), ''z'')'), 'PT404', 'nor another family');

select tests.as_owner();
delete from family_members where user_id = tests.id('ann');
select tests.as_user('ann');
select is_empty('select from storage.objects', 'a removed member sees no file');
select throws_ok(tests.store(tests.id('call') || '/z.jpg'), '42501', null, 'and stores none');
select tests.as_owner();
select is_empty('select from leftover_files()', 'a stored interaction leaves no file');
insert into private.interaction_folders values (tests.id('call'));
select is_empty('select from leftover_files()', 'also if an earlier interaction had its ID');
delete from interactions;
select results_eq('select bucket, name from leftover_files()', $$values ('attachments', tests.id('call') || '/a.jpg')$$,
  'the sweep removes the files of a deleted interaction');

-- Clients choose the IDs.
create function tests.log(id uuid) returns text language sql as $$
  select format('insert into interactions (id, family_unit_id, type, direction) values (%L, %L, ''email'', ''inbound'')',
    log.id, tests.id('Okafor'));
$$;
select tests.as_user('eve');
select is(tests.error(tests.log(tests.id(name))), state, 'an interaction with the ID of ' || name)
from (values ('call', '42501'), ('pat', '42501'), ('new', 'ok')) as entry (name, state);
-- An interaction with the ID of an account, which the rule above refuses.
select tests.as_owner();
alter table interactions disable trigger refuse_used_id;
insert into storage.objects (bucket_id, name)
select bucket, tests.id('pat') || '/p.jpg' from unnest(array['avatars', 'videos']) as bucket;
select tests.as_user('eve');
select lives_ok(tests.log(tests.id('pat')), 'is logged');
select is(tests.touched('delete from interactions'), 1::bigint, 'and deleted');
select tests.as_owner();
alter table interactions enable trigger refuse_used_id;
select results_eq('select bucket, name from leftover_files()', $$values ('attachments', tests.id('call') || '/a.jpg')$$,
  'the files of the account stay');

-- After a day.
grant select on private.interaction_folders to authenticated;
select tests.as_user('eve');
select is_empty('select from private.interaction_folders', 'row-level security hides deleted interactions, even with a grant');
select tests.as_owner();
update private.interaction_folders set deleted_at = now() - interval '25 hours';
select is((select count(*) from leftover_files()), 1::bigint, 'files that could not be removed are returned again');
select results_eq('select interaction from private.interaction_folders', array[tests.id('call')], 'only empty folders are forgotten');
delete from storage.objects where bucket_id = 'attachments';
select is_empty('select from leftover_files()', 'removed files are not returned');
select tests.as_user('eve');
select is(tests.error(tests.log(tests.id('call'))), 'ok', 'then the ID can be used again');

select * from finish();
rollback;
