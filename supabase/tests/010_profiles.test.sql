-- Sign-up, usernames, and the row rules of profiles.
begin;
\ir support/helpers.psql
select no_plan();

-- Sign-up, like the auth server, which isn't the owner of the tables.
select tests.as_owner();
insert into auth.users (id, raw_user_meta_data) values
  (tests.id('plain'), '{}'),
  (tests.id('apple'), '{"full_name": "  Zoë Spiker "}'),
  (tests.id('google'), '{"name": "Bo"}'),
  (tests.id('blank'), '{"full_name": "   ", "name": " "}'),
  (tests.id('long'), jsonb_build_object('full_name', repeat('x', 300)));
select is(display_name, 'Volleyball Player',
  'a new account gets a default display name') from profiles where id = tests.id('plain');
select ok(username ~ '^user_[0-9a-f]{8}$' and username <> 'user_' || left(id::text, 8),
  'a new account gets a username that is not derived from its ID') from profiles
  where id = tests.id('plain');
select is(display_name, 'Zoë Spiker',
  'sign-up uses the full name, without surrounding spaces') from profiles where id = tests.id('apple');
select is(display_name, 'Bo',
  'sign-up uses the name that other providers send') from profiles where id = tests.id('google');
select is(display_name, 'Volleyball Player',
  'a blank name is replaced with the default display name') from profiles where id = tests.id('blank');
select is(char_length(display_name), 50,
  'sign-up truncates a name that is too long') from profiles where id = tests.id('long');
insert into auth.users (id) values
  ('11111111-0000-4000-8000-000000000001'), ('11111111-0000-4000-8000-000000000002'),
  ('11111111-0000-4000-9000-000000000002');
select is(
  (select count(distinct username) from profiles where id::text like '11111111-0000-%'), 3::bigint,
  'accounts whose IDs start alike get different usernames');

select tests.sign_up('ann', 'bob', 'fay', 'pam', 'eve');
update profiles set privacy_level = 'followers_only' where id = tests.id('fay');
update profiles set privacy_level = 'private' where id = tests.id('pam');

-- Valid values of a profile.
select lives_ok(format('update profiles set username = %L where id = tests.id(%L)', name, 'ann'),
  'the username is valid: ' || name)
from unnest(array['abc', 'A.b_9', repeat('x', 30), 'ann']) as name;
select throws_ok(format('update profiles set username = %L where id = tests.id(%L)', name, 'ann'), '23514', null,
  'the username is rejected: ' || name)
from unnest(array['ab', repeat('x', 31), 'a b c', 'zoë', 'a-b-c', '@ann', '...', '', 'Admin', 'support']) as name;
select throws_ok($$update profiles set username = 'ann' where id = tests.id('bob')$$, '23505', null,
  'two accounts cannot have the same username');
select throws_ok($$update profiles set username = 'ANN' where id = tests.id('bob')$$, '23505', null,
  'usernames are unique regardless of case');
select has_index('public', 'profiles', 'profiles_username_key', array['username'],
  'usernames have a case-sensitive index');
select throws_ok(format('update profiles set %I = %L where id = tests.id(%L)', field, content, 'ann'), '23514', null,
  format('the value of %s is rejected: %s', field, left(content, 12)))
from (values
  ('display_name', ''), ('display_name', '  '), ('display_name', repeat('x', 51)),
  ('bio', repeat('x', 161)), ('team_name', repeat('x', 81)),
  ('avatar_url', 'javascript:alert(1)'), ('avatar_url', 'https://a/' || repeat('x', 2048)),
  ('privacy_level', 'friends'),
  ('followers_count', '-1'), ('following_count', '-1'), ('highlights_count', '-1')) as wrong (field, content);
select lives_ok(format('update profiles set %I = %L where id = tests.id(%L)', field, content, 'ann'),
  format('the value of %s is valid: %s', field, left(content, 12)))
from (values
  ('bio', repeat('x', 160)), ('team_name', 'Ocean Beach VC'), ('avatar_url', 'https://example.com/a.png')
  ) as fine (field, content);

-- Characters are counted as people see them.
select is(private.character_count(content), seen, 'characters are counted as people see them: ' || content)
from (values
  ('', 0), ('abc', 3), (U&'e\0301', 1), ('é', 1), ('👍🏽', 1), ('🇩🇪🇫🇷', 2), ('👨‍👩‍👧‍👦!', 2), ('1️⃣', 1), ('हिन्दी', 3),
  (E'a\r\nb', 3), ('🏴󠁧󠁢󠁥󠁮󠁧󠁿', 1), ('排球', 2), (U&'a\0300\0301\0302\0303', 1), ('ภาษาไทยที่นี่', 9)) as text (content, seen);
select throws_ok(format('update profiles set bio = %L where id = tests.id(%L)', 'a' || repeat(U&'\0301', 9999), 'ann'),
  '23514', null, 'a bio of one letter with ten thousand accents is rejected');
select lives_ok(format('update profiles set bio = %L where id = tests.id(%L)', repeat('👨‍👩‍👧‍👦', 160), 'ann'),
  'a bio can contain 160 family emoji');

-- Read access.
select tests.as_anon();
select set_eq('select username from profiles where id in (tests.id($$ann$$), tests.id($$fay$$), tests.id($$pam$$))',
  array['ann', 'fay'], 'a visitor cannot see a private profile');
select tests.as_user('eve');
select set_eq('select username from profiles where id in (tests.id($$ann$$), tests.id($$fay$$), tests.id($$pam$$))',
  array['ann', 'fay'], 'a signed-in user cannot see another user''s private profile');
select tests.as_user('pam');
select set_eq('select username from profiles where id in (tests.id($$ann$$), tests.id($$pam$$))', array['ann', 'pam'],
  'the owner of a private profile can see it');

-- Write access.
select tests.as_user('eve');
select is(tests.touched($$update profiles set bio = 'eve was here'$$), 1::bigint,
  'an update without a filter changes only the user''s own profile');
select is(tests.touched($$update profiles set bio = 'x' where id = tests.id('ann')$$), 0::bigint,
  'a user cannot update another user''s profile');
select throws_ok(format('update profiles set %I = %I', field, field), '42501', null, 'a user cannot update ' || field)
from unnest(array['id', 'followers_count', 'following_count', 'highlights_count', 'created_at']) as field;
select throws_ok($$insert into profiles (id, display_name, username) values (gen_random_uuid(), 'x', 'xxx')$$, '42501',
  null, 'a user cannot insert a profile');
select throws_ok('delete from profiles', '42501', null, 'a user cannot delete a profile');
select tests.as_anon();
select throws_ok($$update profiles set bio = 'x'$$, '42501', null, 'a visitor cannot update a profile');
select tests.as_owner();
delete from auth.users where id = tests.id('eve');
select is_empty($$select from profiles where id = tests.id('eve')$$, 'deleting the account deletes the profile');

select * from finish();
rollback;
