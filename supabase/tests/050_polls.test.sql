-- Polls: one per highlight, one vote per person, which an upsert moves.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob', 'eve');
select tests.share('ann', 'open'), tests.share('ann', 'other'), tests.share('bob', 'bobs');

create function tests.result() returns text language sql security definer as $$
  select p.total_votes || ': ' || string_agg(o.text || ' ' || o.vote_count, ', ' order by o.sort_order)
  from public.polls p join public.poll_options o on o.poll_id = p.id
  where p.highlight_id = tests.id('open') group by p.id;
$$;
create function tests.option(name text) returns uuid language sql security definer as $$
  select id from public.poll_options where text = name;
$$;
create function tests.poll(highlight text) returns uuid language sql security definer as $$
  select id from public.polls where highlight_id = tests.id(highlight);
$$;
create function tests.vote(who text, name text) returns text language sql as $$
  select format('insert into public.poll_votes (poll_id, option_id, user_id) values (%L, %L, %L)',
    tests.poll('open'), tests.option(name), tests.id(who));
$$;

select tests.as_user('ann');
select lives_ok($$insert into polls (highlight_id, question) values (tests.id('open'), 'In or out?')$$,
  'an author can add a poll to a highlight');
select throws_ok($$insert into polls (highlight_id, question) values (tests.id('open'), 'Again?')$$, '23505', null,
  'a highlight can have only one poll');
select throws_ok($$insert into polls (highlight_id, question) values (tests.id('bobs'), 'Mine?')$$, '42501', null,
  'a user cannot add a poll to another author''s highlight');
select lives_ok($$insert into poll_options (poll_id, text, sort_order)
  values (tests.poll('open'), 'in', 0), (tests.poll('open'), 'out', 1)$$, 'the author can add two options');
select lives_ok($$insert into polls (highlight_id, question) values (tests.id('other'), 'Who?')$$,
  'the author can add a poll to a second highlight');
select lives_ok($$insert into poll_options (poll_id, text) values (tests.poll('other'), 'me')$$,
  'a poll can have one option');
select throws_ok(format('update polls set %I = %I', field, field), '42501', null,
  'a user cannot update polls.' || field)
from unnest(array['question', 'total_votes', 'highlight_id']) as field;
select throws_ok(format('update poll_options set %I = %I', field, field), '42501', null,
  'a user cannot update poll_options.' || field)
from unnest(array['text', 'vote_count', 'poll_id']) as field;
select throws_ok('delete from poll_options', '42501', null, 'a user cannot delete an option');
select lives_ok(tests.vote('ann', 'in'), 'the author can vote');

select tests.as_user('bob');
select throws_ok($$insert into poll_options (poll_id, text) values (tests.poll('open'), 'maybe')$$, '42501', null,
  'a user cannot add an option to another author''s poll');
select lives_ok(tests.vote('bob', 'in'), 'a user can vote');
select throws_ok(tests.vote('bob', 'out'), '23505', null, 'a user cannot vote twice in a poll');
select throws_ok(tests.vote('eve', 'out'), '42501', null, 'a user cannot vote for another account');
select throws_ok($$update poll_votes set option_id = tests.option('me')$$, '23503', null,
  'a vote cannot be changed to an option of a different poll');
select is(tests.result(), '2: in 2, out 0', 'votes are counted');
select lives_ok(tests.vote('bob', 'out') || $$ on conflict (poll_id, user_id) do update
  set poll_id = excluded.poll_id, option_id = excluded.option_id, user_id = excluded.user_id$$,
  'a user can change a vote with an upsert');
select is(tests.result(), '2: in 1, out 1', 'changing a vote updates both counters');
select is((select count(*) from poll_votes), 1::bigint, 'a user can see only their own vote');
select throws_ok($$update poll_votes set user_id = tests.id('eve')$$, '42501', null,
  'a user cannot transfer a vote to another account');
select throws_ok('update poll_votes set created_at = created_at', '42501', null,
  'a user cannot update the date of a vote');
select is(tests.touched($$update poll_votes set option_id = tests.option('out')$$), 1::bigint,
  'an update changes only the user''s own vote');
select is(tests.touched('delete from polls'), 0::bigint, 'a user cannot delete another author''s poll');
select is(tests.touched('delete from poll_votes'), 1::bigint, 'a delete removes only the user''s own vote');
select is(tests.result(), '1: in 1, out 0', 'deleting a vote decreases the counters');
select is((select count(*) from polls), 2::bigint, 'a user can see all visible polls');
select is((select count(*) from poll_options), 3::bigint, 'a user can see all visible options');
select lives_ok(tests.vote('bob', 'in'), 'a user can vote again after deleting a vote');

select tests.as_anon();
select is((select count(*) from polls), 2::bigint, 'a visitor can see polls');
select is((select count(*) from poll_options), 3::bigint, 'a visitor can see options');
select throws_ok('select from poll_votes', '42501', null, 'a visitor cannot see votes');
select throws_ok('delete from polls', '42501', null, 'a visitor cannot delete a poll');

select tests.as_owner();
update highlights set privacy_level = 'private' where id = tests.id('open');
select tests.as_user('eve');
select is((select count(*) from polls), 1::bigint, 'a user cannot see the poll of a hidden highlight');
select is((select count(*) from poll_options), 1::bigint, 'a user cannot see the options of a hidden poll');
select throws_ok(tests.vote('eve', 'in'), '42501', null, 'a user cannot vote in a hidden poll');
select tests.as_owner();
update highlights set privacy_level = 'public' where id = tests.id('open');
select tests.as_user('eve');
select lives_ok(format('insert into poll_votes (poll_id, option_id, user_id) values (%L, %L, %L)',
  tests.poll('other'), tests.option('me'), tests.id('eve')), 'a user can vote in a different, visible poll');
select tests.as_owner();
update highlights set privacy_level = 'private' where id = tests.id('open');
select tests.as_user('eve');
select throws_ok($$update poll_votes set poll_id = tests.poll('open'), option_id = tests.option('in')$$, '42501', null,
  'a user cannot move a vote into a hidden poll');
select tests.as_owner();
select throws_ok(statement, '23514', null, 'the database rejects: ' || statement)
from unnest(array['update polls set total_votes = -1', 'update poll_options set vote_count = -1',
  'update polls set question = $$ $$', 'update polls set question = repeat($$x$$, 301)',
  'update poll_options set text = $$ $$', 'update poll_options set text = repeat($$x$$, 101)']) as statement;
select throws_ok($$insert into polls (highlight_id, question) values (tests.id('nothing'), 'x')$$, '23503', null,
  'the highlight of a poll must exist');
select throws_ok($$insert into poll_options (poll_id, text) values (tests.id('nothing'), 'x')$$, '23503', null,
  'the poll of an option must exist');
select throws_ok($$update poll_votes set poll_id = tests.id('nothing')$$, '23503', null,
  'the poll of a vote must exist');
select throws_ok($$update poll_votes set user_id = tests.id('nobody') where user_id = tests.id('ann')$$, '23503', null,
  'the voting account must exist');
delete from auth.users where id = tests.id('bob');
select is(tests.result(), '1: in 1, out 0', 'deleting an account deletes its votes');
delete from poll_options where text = 'in';
select is(tests.result(), '0: out 0', 'deleting an option deletes its votes');
select tests.as_user('ann');
select is(tests.touched('delete from polls where highlight_id = tests.id($$open$$)'), 1::bigint,
  'an author can delete their own poll');
select tests.as_owner();
select is((select count(*) from poll_options), 1::bigint, 'deleting a poll deletes its options');
delete from highlights where id = tests.id('other');
select is_empty('select from polls', 'deleting a highlight deletes its poll');
select is_empty('select from poll_votes', 'deleting a highlight deletes the votes in its poll');

select * from finish();
rollback;
