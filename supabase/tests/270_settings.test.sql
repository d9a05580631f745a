-- Settings, downloads, and the list of blocked people.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob', 'cat');
select tests.share('ann', 'clip');

-- Settings.
select tests.as_user('ann');
select lives_ok($$insert into user_settings (user_id) values (tests.id('ann'))$$, 'settings');
select results_eq('select allow_downloads, share_privacy_level, push_enabled, first_post_confirmed_at from user_settings',
  $$values (false, 'public', true, null::timestamptz)$$, 'have safe defaults');
select lives_ok($$insert into user_settings (user_id, first_post_confirmed_at) values (tests.id('ann'), now())
  on conflict (user_id) do update set user_id = excluded.user_id, first_post_confirmed_at = excluded.first_post_confirmed_at$$,
  'are merged');
select lives_ok(format('update user_settings set %I = %L', field, value), field || ' can be changed')
from (values ('allow_downloads', 'true'), ('share_privacy_level', 'private'), ('push_enabled', 'false')) as change (field, value);
select throws_ok($$update user_settings set share_privacy_level = 'x'$$, '23514', null, 'levels are listed');
select throws_ok($$update user_settings set user_id = tests.id('bob')$$, '42501', null, 'settings can''t move to another account');
select throws_ok($$insert into user_settings (user_id) values (tests.id('bob'))$$, '42501', null, 'or be made for one');
select tests.as_user('bob');
select is_empty('select from user_settings', 'others can''t see them');
select is(tests.touched('update user_settings set push_enabled = true'), 0::bigint, 'change them');
select is(tests.touched('delete from user_settings'), 0::bigint, 'or delete them');
select tests.as_anon();
select throws_ok('select from user_settings', '42501', null, 'visitors have no settings');
select tests.as_user('ann');
select is(tests.touched('delete from user_settings'), 1::bigint, 'settings can be reset');
select tests.as_owner();
select throws_ok($$insert into user_settings (user_id) values (tests.id('nobody'))$$, '23503', null, 'settings have an account');

-- Downloads.
select tests.as_user('bob');
select is((select allow_downloads from highlights), false, 'downloads are off');
select is(tests.touched('update highlights set allow_downloads = true'), 0::bigint, 'only the author changes that');
select tests.as_user('ann');
select is(tests.touched('update highlights set allow_downloads = true'), 1::bigint, 'the author allows downloads');
select lives_ok($$insert into highlights (author_id, mux_playback_id, duration, allow_downloads) values (tests.id('ann'), 'PB', 9, true)$$,
  'also for a new highlight');

-- Blocks.
select tests.as_owner();
insert into user_blocks (blocker_id, blocked_id, created_at) values
  (tests.id('ann'), tests.id('bob'), now() - interval '1 hour'), (tests.id('ann'), tests.id('cat'), now());
update profiles set privacy_level = 'private' where username = 'cat';
select tests.as_user('ann');
select results_eq('select username from blocked_people()', $$values (null), ('bob')$$, 'blocked people have names, unless they are private');
select tests.as_owner();
update profiles set privacy_level = 'public' where username = 'cat';
create function tests.blocked(change text, undo text) returns text language plpgsql as $$
declare
  list text;
begin
  perform tests.as_owner();
  execute change;
  perform tests.as_user('ann');
  select string_agg(concat_ws('/', coalesce(username, '-'), display_name, avatar_url), ' ') into list from public.blocked_people();
  perform tests.as_owner();
  execute undo;
  return list;
end;
$$;
select is(tests.blocked('select', 'select'), 'cat/cat bob/bob', 'public people have names');
select is(tests.blocked(change, undo), '- bob/bob', 'a block doesn''t reveal: ' || change)
from (values
  ('update profiles set privacy_level = $$private$$ where username = $$cat$$', 'update profiles set privacy_level = $$public$$'),
  ('insert into account_deletions (user_id) values (tests.id($$cat$$))', 'delete from account_deletions'),
  ('insert into user_blocks (blocker_id, blocked_id) values (tests.id($$cat$$), tests.id($$ann$$))',
    'delete from user_blocks where blocker_id = tests.id($$cat$$)')) as hidden (change, undo);
select tests.as_user('ann');
select is((select count(id) from blocked_people()), 2::bigint, 'all have an ID');
delete from user_blocks where blocked_id = (select id from blocked_people() where username = 'bob');
select results_eq('select username from blocked_people()', $$values ('cat')$$, 'and can be unblocked');
select tests.as_user('cat');
select is_empty('select blocked_people()', 'blocked people don''t see who blocked them');
select tests.as_anon();
select throws_ok('select blocked_people()', '42501', null, 'visitors can''t block');
select tests.as_owner();
insert into user_settings (user_id) values (tests.id('ann'));
delete from auth.users where id = tests.id('ann');
select is_empty('select from user_settings', 'settings are deleted with the account');

select * from finish();
rollback;
