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
select lives_ok($$insert into polls (highlight_id, question) values (tests.id('open'), 'In or out?')$$, 'ann asks');
select throws_ok($$insert into polls (highlight_id, question) values (tests.id('open'), 'Again?')$$, '23505', null, 'once');
select throws_ok($$insert into polls (highlight_id, question) values (tests.id('bobs'), 'Mine?')$$, '42501', null,
  'under her own highlights');
select lives_ok($$insert into poll_options (poll_id, text, sort_order)
  values (tests.poll('open'), 'in', 0), (tests.poll('open'), 'out', 1)$$, 'two answers');
select lives_ok($$insert into polls (highlight_id, question) values (tests.id('other'), 'Who?')$$, 'another poll');
select lives_ok($$insert into poll_options (poll_id, text) values (tests.poll('other'), 'me')$$, 'with one answer');
select throws_ok(format('update polls set %I = %I', field, field), '42501', null, 'polls.' || field)
from unnest(array['question', 'total_votes', 'highlight_id']) as field;
select throws_ok(format('update poll_options set %I = %I', field, field), '42501', null, 'poll_options.' || field)
from unnest(array['text', 'vote_count', 'poll_id']) as field;
select throws_ok('delete from poll_options', '42501', null, 'an option can''t be deleted');
select lives_ok(tests.vote('ann', 'in'), 'the author votes too');

select tests.as_user('bob');
select throws_ok($$insert into poll_options (poll_id, text) values (tests.poll('open'), 'maybe')$$, '42501', null,
  'bob adds no answer');
select lives_ok(tests.vote('bob', 'in'), 'but votes');
select throws_ok(tests.vote('bob', 'out'), '23505', null, 'once');
select throws_ok(tests.vote('eve', 'out'), '42501', null, 'for himself');
select throws_ok($$update poll_votes set option_id = tests.option('me')$$, '23503', null, 'for an answer of this poll');
select is(tests.result(), '2: in 2, out 0', 'votes are counted');
select lives_ok(tests.vote('bob', 'out') || $$ on conflict (poll_id, user_id) do update
  set poll_id = excluded.poll_id, option_id = excluded.option_id, user_id = excluded.user_id$$, 'bob changes his mind');
select is(tests.result(), '2: in 1, out 1', 'the vote moved');
select is((select count(*) from poll_votes), 1::bigint, 'he sees his vote only');
select throws_ok($$update poll_votes set user_id = tests.id('eve')$$, '42501', null, 'a vote can''t be transferred');
select throws_ok('update poll_votes set created_at = created_at', '42501', null, 'its date can''t be changed');
select is(tests.touched($$update poll_votes set option_id = tests.option('out')$$), 1::bigint, 'no vote of others moves');
select is(tests.touched('delete from polls'), 0::bigint, 'bob deletes no poll');
select is(tests.touched('delete from poll_votes'), 1::bigint, 'only the voter''s own vote is removed');
select is(tests.result(), '1: in 1, out 0', 'and that is counted');
select is((select count(*) from polls), 2::bigint, 'he sees polls');
select is((select count(*) from poll_options), 3::bigint, 'and answers');
select lives_ok(tests.vote('bob', 'in'), 'bob votes again');

select tests.as_anon();
select is((select count(*) from polls), 2::bigint, 'so does anon');
select is((select count(*) from poll_options), 3::bigint, 'and answers');
select throws_ok('select from poll_votes', '42501', null, 'but no votes');
select throws_ok('delete from polls', '42501', null, 'anon can''t delete');

select tests.as_owner();
update highlights set privacy_level = 'private' where id = tests.id('open');
select tests.as_user('eve');
select is((select count(*) from polls), 1::bigint, 'a poll is as hidden as its highlight');
select is((select count(*) from poll_options), 1::bigint, 'so are its answers');
select throws_ok(tests.vote('eve', 'in'), '42501', null, 'and closed');
select tests.as_owner();
update highlights set privacy_level = 'public' where id = tests.id('open');
select tests.as_user('eve');
select lives_ok(format('insert into poll_votes (poll_id, option_id, user_id) values (%L, %L, %L)',
  tests.poll('other'), tests.option('me'), tests.id('eve')), 'eve votes elsewhere');
select tests.as_owner();
update highlights set privacy_level = 'private' where id = tests.id('open');
select tests.as_user('eve');
select throws_ok($$update poll_votes set poll_id = tests.poll('open'), option_id = tests.option('in')$$, '42501', null,
  'and cannot move that vote into a hidden poll');
select tests.as_owner();
select throws_ok(statement, '23514', null, statement)
from unnest(array['update polls set total_votes = -1', 'update poll_options set vote_count = -1',
  'update polls set question = $$ $$', 'update polls set question = repeat($$x$$, 301)',
  'update poll_options set text = $$ $$', 'update poll_options set text = repeat($$x$$, 101)']) as statement;
select throws_ok($$insert into polls (highlight_id, question) values (tests.id('nothing'), 'x')$$, '23503', null,
  'a poll has a highlight');
select throws_ok($$insert into poll_options (poll_id, text) values (tests.id('nothing'), 'x')$$, '23503', null,
  'an answer has a poll');
select throws_ok($$update poll_votes set poll_id = tests.id('nothing')$$, '23503', null, 'a vote has a poll');
select throws_ok($$update poll_votes set user_id = tests.id('nobody') where user_id = tests.id('ann')$$, '23503', null, 'and a voter');
delete from auth.users where id = tests.id('bob');
select is(tests.result(), '1: in 1, out 0', 'deleting the voter deletes the vote');
delete from poll_options where text = 'in';
select is(tests.result(), '0: out 0', 'and with its answer');
select tests.as_user('ann');
select is(tests.touched('delete from polls where highlight_id = tests.id($$open$$)'), 1::bigint, 'ann deletes her poll');
select tests.as_owner();
select is((select count(*) from poll_options), 1::bigint, 'answers go with it');
delete from highlights where id = tests.id('other');
select is_empty('select from polls', 'deleting the highlight deletes the poll');
select is_empty('select from poll_votes', 'and so do votes');

select * from finish();
rollback;
