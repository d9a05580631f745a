-- Mentions: what counts as one, who may be mentioned, and who sees it.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob', 'cat_1', 'eve', 'kid', 'o.k');
select tests.share('ann', 'clip');
create function tests.comment(who text, name text, content text) returns void language sql as $$
  insert into public.comments (id, highlight_id, author_id, text) values (tests.id(name), tests.id('clip'), tests.id(who), content);
$$;

select is(private.mentioned_names(content), names::text[], left(content, 30))
from (values ('@bob', '{bob}'), ('hi @Bob, and @CAT_1!', '{bob,cat_1}'), ('me@bob.com', '{}'), ('@bob@cat', '{}'), ('@bob.', '{bob}'),
  ('@o.k.', '{o.k}'), ('@bob @bob', '{bob}'), ('@bo', '{}'), ('@' || repeat('x', 31), '{}'), ('(@bob)', '{bob}'), ('é@bob', '{}'),
  (U&'\202E@bob\202C', '{bob}'), (U&'@bo\200Bb', '{}'), (U&'@bob\0301', '{bob}'), ('/@bob', '{}'), (repeat('@', 10000), '{}'),
  (repeat('a', 10000), '{}'), ('', '{}'), (E'@bob\n@ann', '{ann,bob}')) as mention (content, names);
select is(cardinality(private.mentioned_names(string_agg('@user' || number, ' '))), 20, 'a text mentions at most 20 people')
from generate_series(100, 199) as number;

-- Comments.
select tests.as_owner();
select tests.comment('eve', 'c1', 'Look @bob @ANN @nobody @eve');
select set_eq($$select profile_id from mentions where comment_id = tests.id('c1')$$,
  array[tests.id('ann'), tests.id('bob'), tests.id('eve')], 'existing names in a comment are mentions');
insert into private.birth_dates values (tests.id('kid'), current_date - 5000);
insert into user_blocks (blocker_id, blocked_id) values (tests.id('bob'), tests.id('eve')), (tests.id('eve'), tests.id('cat_1'));
select tests.comment('eve', 'c2', '@kid @bob @cat_1 @ann');
select set_eq($$select profile_id from mentions where comment_id = tests.id('c2')$$, array[tests.id('ann')],
  'strangers don''t mention protected people, and a block prevents mentions in both directions');
insert into follows (follower_id, following_id) values (tests.id('kid'), tests.id('eve'));
select tests.comment('eve', 'c3', '@kid'), tests.comment('kid', 'c4', '@kid');
select set_eq($$select comment_id from mentions where profile_id = tests.id('kid')$$, array[tests.id('c3'), tests.id('c4')],
  'people whom a protected person follows mention them');

-- Captions.
select tests.as_user('ann');
update highlights set caption = 'With @bob and @o.k' where id = tests.id('clip');
select set_eq('select profile_id from mentions where comment_id is null', array[tests.id('bob'), tests.id('o.k')],
  'a new caption has mentions');
update highlights set caption = 'With @bob and @cat_1' where id = tests.id('clip');
select set_eq('select profile_id from mentions where comment_id is null', array[tests.id('bob'), tests.id('cat_1')],
  'a changed caption loses old mentions');
select tests.as_owner();
insert into highlights (id, author_id, mux_playback_id, caption, duration) values
  (tests.id('second'), tests.id('ann'), 'PB', '@bob', 9);
select is((select count(*) from mentions where highlight_id = tests.id('second')), 1::bigint, 'a first caption has mentions');

-- Who sees them.
select tests.as_anon();
select is((select count(*) from mentions), 9::bigint, 'visitors see mentions');
select throws_ok('delete from mentions', '42501', null, 'visitors can''t delete mentions');
select tests.as_user('bob');
select is((select count(*) from mentions where comment_id is not null), 1::bigint, 'a block hides mentions in comments');
select tests.as_user('eve');
select is_empty($$select from mentions where profile_id = tests.id('bob')$$, 'and those of the person who blocked');
select throws_ok($$insert into mentions (highlight_id, profile_id) values (tests.id('clip'), tests.id('ann'))$$, '42501', null,
  'users can''t insert mentions');
select tests.as_owner();
update highlights set privacy_level = 'private';
select tests.as_user('cat_1');
select is_empty('select from mentions', 'mentions are as visible as the highlight');

-- Rules of the table.
select tests.as_owner();
select throws_ok($$insert into mentions (highlight_id, profile_id) values (tests.id('clip'), tests.id('bob'))$$, '23505', null,
  'a caption mentions a person once');
select throws_ok(format('insert into mentions (highlight_id, comment_id, profile_id) values (%L, %L, %L)', h, c, p), '23503', null,
  'mentions refer to rows')
from (values (tests.id('x'), null, tests.id('ann')), (tests.id('clip'), tests.id('x'), tests.id('ann')),
  (tests.id('clip'), null, tests.id('x'))) as mention (h, c, p);
delete from comments where id = tests.id('c1');
select is_empty($$select from mentions where comment_id = tests.id('c1')$$, 'mentions are deleted with the comment');
delete from auth.users where id = tests.id('cat_1');
select is((select count(*) from mentions where highlight_id = tests.id('clip') and comment_id is null), 1::bigint,
  'with the mentioned person');
delete from highlights where id = tests.id('second');
select is((select count(*) from mentions where comment_id is null), 1::bigint, 'and with the highlight');

select * from finish();
rollback;
