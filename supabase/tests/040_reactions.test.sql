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
select lives_ok(tests.like_it('bob', 'open'), 'a user can like a highlight');
select throws_ok(tests.like_it('bob', 'open'), '23505', null, 'a user cannot like a highlight twice');
select throws_ok(tests.like_it('cat', 'open'), '42501', null, 'a user cannot like for another account');
select throws_ok(tests.like_it('bob', 'closed'), '42501', null, 'a user cannot like a hidden highlight');
select throws_ok('update likes set highlight_id = highlight_id', '42501', null, 'a user cannot update a like');
select throws_ok($$insert into likes (user_id, highlight_id, created_at)
  values (tests.id('bob'), tests.id('other'), 'epoch')$$, '42501', null, 'a user cannot set the date of a like');
select lives_ok(tests.comment('bob', 'open', 'nice'), 'a user can comment on a highlight');
select throws_ok(tests.comment('cat', 'open', 'as cat'), '42501', null, 'a user cannot comment for another account');
select throws_ok(tests.comment('bob', 'closed', 'hello'), '42501', null, 'a user cannot comment on a hidden highlight');
select throws_ok(tests.comment('bob', 'open', content), '23514', null, 'the comment is rejected: ' || left(content, 5))
from unnest(array['', E' \n', repeat('x', 501)]) as content;
select lives_ok(tests.comment('bob', 'other', repeat('é', 500)), 'a comment can have 500 characters');
select lives_ok($$insert into comments (id, author_id, highlight_id, text)
  values ('c0000000-0000-4000-8000-000000000001', tests.id('bob'), tests.id('other'), 'once')$$,
  'a user can choose the ID of a comment');
select throws_ok($$insert into comments (id, author_id, highlight_id, text)
  values ('c0000000-0000-4000-8000-000000000001', tests.id('bob'), tests.id('other'), 'once')$$, '23505', null,
  'a comment cannot be inserted twice');
select is(tests.touched($$delete from comments where id = 'c0000000-0000-4000-8000-000000000001'$$), 1::bigint,
  'the comment was inserted once');
select throws_ok(format('update comments set %I = %I', field, field), '42501', null,
  format('a user cannot update %s of a comment', field))
from unnest(array['text', 'author_id', 'likes_count', 'created_at']) as field;
select throws_ok($$insert into comments (author_id, highlight_id, text, likes_count)
  values (tests.id('bob'), tests.id('open'), 'x', 9)$$, '42501', null, 'a user cannot insert a comment with likes');
select tests.as_user('cat');
select lives_ok(tests.like_comment('cat', 'nice'), 'a user can like a comment');
select throws_ok(tests.like_comment('cat', 'nice'), '23505', null, 'a user cannot like a comment twice');
select throws_ok(tests.like_comment('bob', 'nice'), '42501', null, 'a user cannot like a comment for another account');
select throws_ok('update comment_likes set comment_id = comment_id', '42501', null,
  'a user cannot update a comment like');
select is(tests.counts('open'), '1/1/1', 'likes, comments and comment likes are counted');
select is(tests.touched('delete from likes'), 0::bigint, 'a user cannot delete another user''s like');
select is(tests.touched('delete from comments'), 0::bigint, 'a user cannot delete another user''s comment');
select tests.as_user('bob');
select is(tests.touched('delete from comment_likes'), 0::bigint,
  'the comment''s author cannot delete another user''s comment like');

-- The computed column is_liked_by_me.
select is((select is_liked_by_me(h) from highlights h where id = tests.id('open')), true,
  'is_liked_by_me is true for a highlight that the user likes');
select is((select is_liked_by_me(c) from comments c where text = 'nice'), false,
  'is_liked_by_me is false for a comment that the user doesn''t like');
select tests.as_user('cat');
select is((select is_liked_by_me(h) from highlights h where id = tests.id('open')), false,
  'is_liked_by_me is false for a highlight that another user likes');
select is((select is_liked_by_me(c) from comments c where text = 'nice'), true,
  'is_liked_by_me is true for a comment that the user likes');

-- Read access.
select tests.as_anon();
select is((select count(*) from likes), 1::bigint, 'a visitor can see likes');
select is((select count(*) from comments), 2::bigint, 'a visitor can see comments');
select is((select count(*) from comment_likes), 1::bigint, 'a visitor can see comment likes');
select throws_ok(statement, '42501', null, 'a visitor cannot run: ' || statement)
from unnest(array['delete from likes', 'delete from comments', 'delete from comment_likes']) as statement;
select tests.as_owner();
update highlights set hide_likes = true where id = tests.id('open');
select tests.as_anon();
select is((select count(*) from likes), 0::bigint, 'a visitor cannot see hidden likes');
select tests.as_user('ann');
select is((select count(*) from likes), 1::bigint, 'the author can see hidden likes');
select tests.as_user('bob');
select is((select count(*) from likes), 1::bigint, 'a user can see their own hidden like');
select tests.as_owner();
update highlights set hide_likes = false, privacy_level = 'private' where id = tests.id('open');
select tests.as_user('eve');
select is((select count(*) from likes), 0::bigint, 'a user cannot see the likes of a hidden highlight');
select is((select count(*) from comments), 1::bigint, 'a user cannot see the comments of a hidden highlight');
select is((select count(*) from comment_likes), 0::bigint, 'a user cannot see the comment likes of a hidden highlight');
select throws_ok(tests.like_comment('eve', 'nice'), '42501', null,
  'a user cannot like a comment of a hidden highlight');
select tests.as_user('bob');
select is((select count(*) from likes), 1::bigint, 'a user can see their own like of a hidden highlight');
select is((select count(*) from comments), 2::bigint, 'a user can see their own comments on a hidden highlight');
select tests.as_user('cat');
select is((select count(*) from comment_likes), 1::bigint,
  'a user can see their own comment like on a hidden highlight');
select tests.as_owner();
update highlights set privacy_level = 'public' where id = tests.id('open');

-- A block hides comments on a third person's highlight, too, in both directions.
insert into user_blocks (blocker_id, blocked_id) values (tests.id('eve'), tests.id('bob'));
select tests.as_user('eve');
select is_empty('select from likes', 'a blocking user cannot see the blocked user''s likes');
select is_empty('select from comments', 'a blocking user cannot see the blocked user''s comments');
select is_empty('select from comment_likes', 'a blocking user cannot see likes of the blocked user''s comments');
select throws_ok(tests.like_comment('eve', 'nice'), '42501', null,
  'a blocking user cannot like the blocked user''s comments');
select tests.as_owner();
select tests.comment('eve', 'open', 'eve too') as sql \gset
:sql;
select tests.like_comment('eve', 'eve too') as sql \gset
:sql;
select tests.as_user('bob');
select is_empty($$select from comments where author_id = tests.id('eve')$$,
  'a blocked user cannot see the blocking user''s comments');
select is_empty($$select from comment_likes where user_id = tests.id('eve')$$,
  'a blocked user cannot see the blocking user''s comment likes');
select tests.as_user('cat');
select is((select count(*) from comments), 3::bigint, 'a third user can see the comments of both');
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
  'a blocked user can see only their own like of a visible comment');
select tests.as_owner();
delete from user_blocks;
insert into user_blocks (blocker_id, blocked_id) values (tests.id('ann'), tests.id('bob'));
select tests.as_user('bob');
select throws_ok(tests.like_it('bob', 'other'), '42501', null, 'a blocked user cannot like the author''s highlights');
select throws_ok(tests.comment('bob', 'open', 'hey'), '42501', null,
  'a blocked user cannot comment on the author''s highlights');
select is(tests.touched($$delete from likes where user_id = tests.id('bob')$$), 1::bigint,
  'a blocked user can delete their like');
select is(tests.touched($$delete from comments where text = 'nice'$$), 1::bigint,
  'a blocked user can delete their comment');
select is(tests.counts('open'), '0/2/3', 'deleting likes and comments decreases the counters');
select tests.as_owner();
delete from user_blocks;

-- Private profiles are hidden.
select tests.as_user('pam');
select lives_ok(tests.like_it('pam', 'open'), 'a user with a private profile can like a highlight');
select lives_ok(tests.comment('pam', 'open', 'psst'), 'a user with a private profile can comment');
select isnt_empty($$select from comments where text = 'psst'$$,
  'a user with a private profile can see their own comment');
select tests.as_anon();
select is_empty($$select from comments where text = 'psst'$$, 'a visitor cannot see a comment of a private profile');
select is_empty($$select from likes where user_id = tests.id('pam')$$,
  'a visitor cannot see a like of a private profile');

-- Deletion and cascades.
select tests.as_user('cat');
select lives_ok(tests.like_it('cat', 'open'), 'a user can like one highlight');
select lives_ok(tests.like_it('cat', 'other'), 'a user can like a second highlight');
select lives_ok(tests.comment('cat', 'open', 'wow'), 'a user can comment after liking');
select lives_ok(tests.like_comment('cat', 'thanks'), 'a user can like a comment by another author');
select is(tests.counts('open'), '2/4/4', 'new likes and comments increase the counters');
select tests.as_user('cat');
select is(tests.touched($$delete from comment_likes where comment_id = (select id from comments where text = 'thanks')$$),
  1::bigint, 'a user can delete their comment like');
select is(tests.counts('open'), '2/4/3', 'deleting a comment like decreases the counter');
select tests.as_owner();
delete from auth.users where id = tests.id('cat');
select is(tests.counts('open') || ' ' || tests.counts('other'), '1/3/3 0/1/0',
  'deleting an account decreases the counters of highlights');
delete from comments where text = 'thanks';
select is((select count(*) from comment_likes), 1::bigint, 'deleting a comment deletes its likes');
delete from highlights where id = tests.id('open');
select is_empty($$select from likes where highlight_id = tests.id('open')$$, 'deleting a highlight deletes its likes');
select is_empty($$select from comments where highlight_id = tests.id('open')$$,
  'deleting a highlight deletes its comments');
select throws_ok(tests.like_it('nobody', 'other'), '23503', null, 'the liking account must exist');
select throws_ok(tests.like_it('bob', 'nothing'), '23503', null, 'the liked highlight must exist');
select throws_ok(tests.comment('nobody', 'other', 'x'), '23503', null, 'the commenting account must exist');
select throws_ok(tests.comment('bob', 'nothing', 'x'), '23503', null, 'the commented highlight must exist');
select throws_ok($$insert into comment_likes (user_id, comment_id) values (tests.id('bob'), tests.id('nothing'))$$, '23503',
  null, 'the liked comment must exist');
select throws_ok($$insert into comment_likes (user_id, comment_id) select tests.id('nobody'), id from comments$$, '23503',
  null, 'the account that likes a comment must exist');
select throws_ok('update comments set likes_count = -1', '23514', null, 'a comment''s counter cannot be negative');

select * from finish();
rollback;
