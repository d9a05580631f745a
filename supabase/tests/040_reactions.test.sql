-- Likes, comments and comment likes: counters and row rules.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob', 'cat', 'eve', 'pam');
select tests.share('ann', 'open'), tests.share('ann', 'closed', 'private'), tests.share('ann', 'other');
update profiles set privacy_level = 'private' where id = tests.id('pam');

create function tests.like_it(who text, what text) returns text language sql as $$
  select format('insert into public.likes (user_id, highlight_id) values (%L, %L)', tests.id(who), tests.id(what));
$$;
create function tests.comment(who text, what text, content text) returns text language sql as $$
  select format('insert into public.comments (author_id, highlight_id, text) values (%L, %L, %L)',
    tests.id(who), tests.id(what), content);
$$;
create function tests.like_comment(who text, content text) returns text language sql security definer as $$
  select format('insert into public.comment_likes (user_id, comment_id) values (%L, %L)', tests.id(who), id)
  from public.comments where text = content;
$$;
-- Likes, comments and comment likes of one highlight.
create function tests.counts(what text) returns text language sql security definer as $$
  select h.likes_count || '/' || h.comments_count || '/'
    || coalesce((select sum(c.likes_count) from public.comments c where c.highlight_id = h.id), 0)
  from public.highlights h where h.id = tests.id(what);
$$;

select tests.as_user('bob');
select lives_ok(tests.like_it('bob', 'open'), 'bob likes');
select throws_ok(tests.like_it('bob', 'open'), '23505', null, 'once');
select throws_ok(tests.like_it('cat', 'open'), '42501', null, 'liking for another account is refused');
select throws_ok(tests.like_it('bob', 'closed'), '42501', null, 'liking a hidden highlight is refused');
select throws_ok('update likes set highlight_id = highlight_id', '42501', null, 'a like does not change');
select throws_ok($$insert into likes (user_id, highlight_id, created_at)
  values (tests.id('bob'), tests.id('other'), 'epoch')$$, '42501', null, 'the date can''t be set');
select lives_ok(tests.comment('bob', 'open', 'nice'), 'bob comments');
select throws_ok(tests.comment('cat', 'open', 'as cat'), '42501', null, 'not as cat');
select throws_ok(tests.comment('bob', 'closed', 'hello'), '42501', null, 'commenting on a hidden highlight is refused');
select throws_ok(tests.comment('bob', 'open', content), '23514', null, 'no comment: ' || left(content, 5))
from unnest(array['', E' \n', repeat('x', 501)]) as content;
select lives_ok(tests.comment('bob', 'other', repeat('é', 500)), 'a comment has 500 characters');
select throws_ok(format('update comments set %I = %I', field, field), '42501', null, field || ' cannot be changed')
from unnest(array['text', 'author_id', 'likes_count', 'created_at']) as field;
select throws_ok($$insert into comments (author_id, highlight_id, text, likes_count)
  values (tests.id('bob'), tests.id('open'), 'x', 9)$$, '42501', null, 'a comment brings no likes');
select tests.as_user('cat');
select lives_ok(tests.like_comment('cat', 'nice'), 'cat likes the comment');
select throws_ok(tests.like_comment('cat', 'nice'), '23505', null, 'once');
select throws_ok(tests.like_comment('bob', 'nice'), '42501', null, 'not for bob');
select throws_ok('update comment_likes set comment_id = comment_id', '42501', null, 'it does not change');
select is(tests.counts('open'), '1/1/1', 'all is counted');
select is(tests.touched('delete from likes'), 0::bigint, 'cat takes back no like of bob''s');
select is(tests.touched('delete from comments'), 0::bigint, 'another person''s comment can''t be deleted');
select tests.as_user('bob');
select is(tests.touched('delete from comment_likes'), 0::bigint, 'not even by the highlight''s author');

-- The computed column is_liked_by_me.
select is((select is_liked_by_me(h) from highlights h where id = tests.id('open')), true, 'bob likes it');
select is((select is_liked_by_me(c) from comments c where text = 'nice'), false, 'not his own comment');
select tests.as_user('cat');
select is((select is_liked_by_me(h) from highlights h where id = tests.id('open')), false, 'cat does not');
select is((select is_liked_by_me(c) from comments c where text = 'nice'), true, 'but the comment');

-- Read access.
select tests.as_anon();
select is((select count(*) from likes), 1::bigint, 'anon sees likes');
select is((select count(*) from comments), 2::bigint, 'comments');
select is((select count(*) from comment_likes), 1::bigint, 'and likes of comments');
select throws_ok(statement, '42501', null, 'anon: ' || statement)
from unnest(array['delete from likes', 'delete from comments', 'delete from comment_likes']) as statement;
select tests.as_owner();
update highlights set hide_likes = true where id = tests.id('open');
select tests.as_anon();
select is((select count(*) from likes), 0::bigint, 'hidden likes are hidden');
select tests.as_user('ann');
select is((select count(*) from likes), 1::bigint, 'not hidden from the author');
select tests.as_user('bob');
select is((select count(*) from likes), 1::bigint, 'not hidden from the person who likes it');
select tests.as_owner();
update highlights set hide_likes = false, privacy_level = 'private' where id = tests.id('open');
select tests.as_user('eve');
select is((select count(*) from likes), 0::bigint, 'no likes of a highlight that is not seen');
select is((select count(*) from comments), 1::bigint, 'no comments');
select is((select count(*) from comment_likes), 0::bigint, 'no likes of its comments');
select throws_ok(tests.like_comment('eve', 'nice'), '42501', null, 'its comments can''t be liked');
select tests.as_user('bob');
select is((select count(*) from likes), 1::bigint, 'but the own like');
select is((select count(*) from comments), 2::bigint, 'and the own comments');
select tests.as_user('cat');
select is((select count(*) from comment_likes), 1::bigint, 'and the own like of a comment');
select tests.as_owner();
update highlights set privacy_level = 'public' where id = tests.id('open');

-- A block hides comments on a third person's highlight, too, in both directions.
insert into user_blocks (blocker_id, blocked_id) values (tests.id('eve'), tests.id('bob'));
select tests.as_user('eve');
select is_empty('select from likes', 'eve sees no like of bob''s');
select is_empty('select from comments', 'no comment');
select is_empty('select from comment_likes', 'no like under one');
select throws_ok(tests.like_comment('eve', 'nice'), '42501', null, 'and cannot answer');
select tests.as_owner();
select tests.comment('eve', 'open', 'eve too') as sql \gset
:sql;
select tests.like_comment('eve', 'eve too') as sql \gset
:sql;
select tests.as_user('bob');
select is_empty($$select from comments where author_id = tests.id('eve')$$, 'bob sees no comment of eve''s');
select is_empty($$select from comment_likes where user_id = tests.id('eve')$$, 'no like');
select tests.as_user('cat');
select is((select count(*) from comments), 3::bigint, 'cat sees both');
-- A hidden person likes a visible comment.
select tests.as_owner();
select tests.comment('ann', 'open', 'thanks') as sql \gset
:sql;
select tests.like_comment('eve', 'thanks') as sql \gset
:sql;
select tests.like_comment('bob', 'thanks') as sql \gset
:sql;
select tests.as_user('bob');
select is((select count(*) from comment_likes cl join comments c on c.id = cl.comment_id where c.text = 'thanks'), 1::bigint,
  'bob sees his like, not eve''s');
select tests.as_owner();
delete from user_blocks;
insert into user_blocks (blocker_id, blocked_id) values (tests.id('ann'), tests.id('bob'));
select tests.as_user('bob');
select throws_ok(tests.like_it('bob', 'other'), '42501', null, 'the blocked cannot like');
select throws_ok(tests.comment('bob', 'open', 'hey'), '42501', null, 'or comment');
select is(tests.touched($$delete from likes where user_id = tests.id('bob')$$), 1::bigint, 'but can remove the like');
select is(tests.touched($$delete from comments where text = 'nice'$$), 1::bigint, 'and his comment');
select is(tests.counts('open'), '0/2/3', 'counters without them');
select tests.as_owner();
delete from user_blocks;

-- Private profiles are hidden.
select tests.as_user('pam');
select lives_ok(tests.like_it('pam', 'open'), 'a private person likes');
select lives_ok(tests.comment('pam', 'open', 'psst'), 'and comments');
select isnt_empty($$select from comments where text = 'psst'$$, 'for herself');
select tests.as_anon();
select is_empty($$select from comments where text = 'psst'$$, 'others do not see it');
select is_empty($$select from likes where user_id = tests.id('pam')$$, 'the like is hidden');

-- Deletion and cascades.
select tests.as_user('cat');
select lives_ok(tests.like_it('cat', 'open'), 'cat likes');
select lives_ok(tests.like_it('cat', 'other'), 'twice');
select lives_ok(tests.comment('cat', 'open', 'wow'), 'cat comments');
select lives_ok(tests.like_comment('cat', 'thanks'), 'and likes a comment');
select is(tests.counts('open'), '2/4/4', 'counters with cat');
select tests.as_user('cat');
select is(tests.touched($$delete from comment_likes where comment_id = (select id from comments where text = 'thanks')$$),
  1::bigint, 'a comment like is removed');
select is(tests.counts('open'), '2/4/3', 'and counted');
select tests.as_owner();
delete from auth.users where id = tests.id('cat');
select is(tests.counts('open') || ' ' || tests.counts('other'), '1/3/3 0/1/0', 'counters without cat');
delete from comments where text = 'thanks';
select is((select count(*) from comment_likes), 1::bigint, 'likes go with their comment');
delete from highlights where id = tests.id('open');
select is_empty($$select from likes where highlight_id = tests.id('open')$$, 'likes go with their highlight');
select is_empty($$select from comments where highlight_id = tests.id('open')$$, 'so do comments');
select throws_ok(tests.like_it('nobody', 'other'), '23503', null, 'the liking account must exist');
select throws_ok(tests.like_it('bob', 'nothing'), '23503', null, 'something');
select throws_ok(tests.comment('nobody', 'other', 'x'), '23503', null, 'the commenting account must exist');
select throws_ok(tests.comment('bob', 'nothing', 'x'), '23503', null, 'on something');
select throws_ok($$insert into comment_likes (user_id, comment_id) values (tests.id('bob'), tests.id('nothing'))$$, '23503',
  null, 'a comment is there');
select throws_ok($$insert into comment_likes (user_id, comment_id) select tests.id('nobody'), id from comments$$, '23503',
  null, 'and so is who likes it');
select throws_ok('update comments set likes_count = -1', '23514', null, 'no counter is negative');

select * from finish();
rollback;
