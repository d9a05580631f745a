-- Emoji reactions: row rules and counts.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob', 'eve');
select tests.share('ann', 'clip');
insert into comments (id, highlight_id, author_id, text) values (tests.id('c'), tests.id('clip'), tests.id('ann'), 'x');
create function tests.react(who text, emoji text, what text default 'c') returns text language sql as $$
  select format('insert into public.comment_reactions (user_id, comment_id, emoji) values (%L, %L, %L)', tests.id(who), tests.id(what), emoji);
$$;

select tests.as_user('bob');
select lives_ok(tests.react('bob', '🔥'), 'a reaction');
select lives_ok(tests.react('bob', '🏐'), 'a second one');
select throws_ok(tests.react('bob', '🔥'), '23505', null, 'the same reaction again is refused');
select throws_ok(tests.react('bob', emoji), '23514', null, 'only listed emojis: ' || emoji) from unnest(array['', 'x', '🔥🔥']) as emoji;
select throws_ok(tests.react('eve', '🔥'), '42501', null, 'reactions for another account are refused');
select throws_ok('update comment_reactions set emoji = emoji', '42501', null, 'reactions can''t be changed');
select tests.as_user('eve');
select lives_ok(tests.react('eve', '🔥'), 'a reaction of another person');
select is((select reactions(c) from comments c), '{"🏐": 1, "🔥": 2}', 'reactions are counted');
select is(tests.touched($$delete from comment_reactions where user_id = tests.id('bob')$$), 0::bigint,
  'reactions of others can''t be deleted');
select is(tests.touched($$delete from comment_reactions$$), 1::bigint, 'the own one can');
select tests.as_anon();
select is((select reactions(c) from comments c), '{"🏐": 1, "🔥": 1}', 'visitors see reactions');
select throws_ok('delete from comment_reactions', '42501', null, 'visitors don''t write');

select tests.as_owner();
insert into comments (id, highlight_id, author_id, text) values (tests.id('d'), tests.id('clip'), tests.id('eve'), 'y');
insert into user_blocks (blocker_id, blocked_id) values (tests.id('bob'), tests.id('eve'));
select tests.as_user('eve');
select is_empty('select from comment_reactions', 'a block hides reactions');
select tests.as_user('bob');
select throws_ok(tests.react('bob', '🔥', 'd'), '42501', null, 'a hidden comment gets no reactions');
select tests.as_owner();
update highlights set privacy_level = 'private';
select tests.as_anon();
select is_empty('select from comment_reactions', 'reactions are as visible as the comment');
select tests.as_user('bob');
select is((select count(*) from comment_reactions), 2::bigint, 'except for own ones');

select tests.as_owner();
select throws_ok(tests.react('nobody', '🔥'), '23503', null, 'a reaction has an account');
select throws_ok(tests.react('bob', '🔥', 'nothing'), '23503', null, 'and a comment');
insert into comment_reactions (user_id, comment_id, emoji) values (tests.id('eve'), tests.id('c'), '🔥');
delete from auth.users where id = tests.id('bob');
select is((select count(*) from comment_reactions), 1::bigint, 'reactions are deleted with the account');
delete from comments;
select is_empty('select from comment_reactions', 'and with the comment');

select * from finish();
rollback;
