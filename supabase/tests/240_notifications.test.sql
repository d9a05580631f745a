-- Notifications: for which events, who reads them, groups, and marking them as read.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob', 'cat', 'eve', 'shy');
select tests.share('ann', 'clip'), tests.share('ann', 'other');
update profiles set privacy_level = 'followers_only' where username = 'shy';
create function tests.inbox(who text) returns text language sql security definer as $$
  select string_agg(kind || ':' || coalesce(username, '-'), ' ' order by kind collate "C", username)
  from public.notifications n left join public.profiles p on p.id = n.actor_id where user_id = tests.id(who);
$$;

select tests.as_user('bob');
insert into likes (user_id, highlight_id) values (tests.id('bob'), tests.id('clip'));
insert into comments (highlight_id, author_id, text) values (tests.id('clip'), tests.id('bob'), 'nice'),
  (tests.id('clip'), tests.id('bob'), '@ann @cat');
insert into follows (follower_id, following_id) values (tests.id('bob'), tests.id('ann'));
insert into follow_requests (requester_id, target_id) values (tests.id('bob'), tests.id('shy'));
select is(tests.inbox('ann'), 'comment:bob follow:bob like:bob mention:bob', 'events about ann, one for the comment that mentions her');
select is(tests.inbox('cat'), 'mention:bob', 'a mention of another person');
select is(tests.inbox('shy'), 'request:bob', 'a request');
select tests.as_user('ann');
insert into likes (user_id, highlight_id) values (tests.id('ann'), tests.id('clip'));
insert into comments (highlight_id, author_id, text) values (tests.id('clip'), tests.id('ann'), 'me @ann');
insert into comment_likes (user_id, comment_id) select tests.id('ann'), id from comments where text = 'nice';
insert into comment_reactions (user_id, comment_id, emoji) select tests.id('ann'), id, '🔥' from comments where text = 'nice';
select is(tests.inbox('ann'), 'comment:bob follow:bob like:bob mention:bob', 'own events don''t notify');
select is(tests.inbox('bob'), 'comment_like:ann reaction:ann', 'likes of comments and reactions do');
select tests.as_user('shy');
select accept_follow_request(tests.id('bob'));
select is(tests.inbox('bob'), 'accepted:shy comment_like:ann reaction:ann', 'the requester learns of the acceptance');
select is(tests.inbox('shy'), null, 'and the request''s notification is deleted');

-- Undone events.
select tests.as_user('ann');
delete from comment_likes;
delete from comment_reactions;
select is(tests.inbox('bob'), 'accepted:shy', 'undone reactions don''t notify');
select tests.as_user('bob');
delete from follows where following_id = tests.id('shy');
delete from likes;
insert into likes (user_id, highlight_id) values (tests.id('bob'), tests.id('clip'));
delete from follows where following_id = tests.id('ann');
select is(tests.inbox('ann'), 'comment:bob like:bob mention:bob', 'nor do undone follows; a repeated like notifies once');
insert into follows (follower_id, following_id) values (tests.id('bob'), tests.id('ann'));
insert into comments (highlight_id, author_id, text) values (tests.id('other'), tests.id('bob'), 'gone');
select is(tests.touched($$delete from comments where text in ('@ann @cat', 'gone')$$), 2::bigint, 'comments are deleted');
select is(coalesce(tests.inbox('cat'), '') || tests.inbox('ann'), 'comment:bob follow:bob like:bob', 'their notifications, too');
select tests.as_owner();
insert into follow_requests (requester_id, target_id) values (tests.id('cat'), tests.id('shy'));
delete from follow_requests;
select is(tests.inbox('shy'), null, 'a withdrawn request doesn''t notify');
update highlights set caption = 'with @cat' where caption = 'other';
select is(tests.inbox('cat'), 'mention:ann', 'a mention in a caption');
update highlights set caption = 'other' where caption = 'with @cat';
select is(tests.inbox('cat'), null, 'a removed mention doesn''t notify');

-- Reading.
select tests.as_user('ann');
select is((select count(*) from notifications), 3::bigint, 'ann reads hers');
select is(unread_notifications(), 3, 'all are unread');
select throws_ok(statement, '42501', null, 'users don''t write: ' || statement)
from unnest(array['delete from notifications', 'update notifications set read_at = now()',
  'insert into notifications (user_id, kind, cause) values (tests.id($$ann$$), $$like$$, tests.id($$x$$))']) as statement;
select tests.as_user('bob');
select is_empty('select from notifications', 'bob reads none of them');
select is(unread_notifications(), 0, 'and counts none');
select mark_notifications_read();
select tests.as_anon();
select throws_ok(statement, '42501', null, 'visitors have none: ' || statement)
from unnest(array['select from notifications', 'select notification_groups()', 'select unread_notifications()',
  'select mark_notifications_read()']) as statement;

-- Groups.
select tests.as_owner();
insert into likes (user_id, highlight_id) values (tests.id('cat'), tests.id('clip')), (tests.id('eve'), tests.id('clip')),
  (tests.id('cat'), tests.id('other'));
update notifications set created_at = now() - interval '1 hour' where kind = 'like' and highlight_id = tests.id('clip');
update notifications set created_at = now() - interval '2 hours' where kind = 'comment';
update notifications set created_at = now() - interval '3 hours' where kind = 'follow';
select tests.as_user('ann');
select results_eq('select kind, highlight_id, actor_count, is_read from notification_groups()',
  $$values ('like', tests.id('other'), 1, false), ('like', tests.id('clip'), 3, false), ('comment', tests.id('clip'), 1, false),
    ('follow', null, 1, false)$$, 'likes of a highlight are one group');
select is((select cardinality(actor_ids) from notification_groups() where actor_count = 3), 3, 'with the people');
select results_eq($$select kind, newest from notification_groups(now() - interval '2 hours')$$,
  $$values ('follow', now() - interval '3 hours')$$, 'the next page');
select mark_notifications_read(now() - interval '2 hours');
select results_eq('select kind, is_read from notification_groups()',
  $$values ('like', false), ('like', false), ('comment', true), ('follow', true)$$, 'older ones are marked as read');
select is(unread_notifications(), 4, 'and not counted');
select mark_notifications_read();
select is(unread_notifications(), 0, 'all are marked');

-- What can't be seen doesn't notify.
select tests.as_owner();
insert into user_mutes (muter_id, muted_id) values (tests.id('ann'), tests.id('cat'));
insert into user_blocks (blocker_id, blocked_id) values (tests.id('eve'), tests.id('ann'));
select tests.as_user('ann');
select is((select count(*) from notifications where actor_id <> tests.id('bob')), 0::bigint, 'muted and blocked people');
select tests.as_owner();
insert into comments (highlight_id, author_id, text) values (tests.id('other'), tests.id('bob'), 'hey @shy');
select tests.as_user('shy');
select is(unread_notifications(), 1, 'a mention under a visible highlight');
select tests.as_owner();
update highlights set privacy_level = 'private' where id = tests.id('other');
select tests.as_user('shy');
select is(unread_notifications(), 0, 'a mention under a highlight that is hidden now');
select tests.as_owner();
update highlights set privacy_level = 'public';
select tests.as_user('shy');
select is(unread_notifications(), 1, 'and visible again');
select tests.as_owner();
insert into user_blocks (blocker_id, blocked_id) values (tests.id('shy'), tests.id('bob'));
select tests.as_user('shy');
select is(unread_notifications(), 0, 'a comment of a blocked person');

-- Rules of the table, and old rows.
select tests.as_owner();
delete from user_blocks;
select throws_ok($$insert into notifications (user_id, kind, cause) values (tests.id('ann'), 'x', tests.id('x'))$$, '23514', null,
  'kinds are listed');
select throws_ok(format('insert into notifications (user_id, kind, cause, %I) values (%L, %L, %L, %L)', field, tests.id('ann'), 'like',
  tests.id('y'), tests.id('nothing')), '23503', null, field || ' refers to a row')
from unnest(array['actor_id', 'highlight_id', 'comment_id']) as field;
select throws_ok($$insert into notifications (user_id, kind, cause) values (tests.id('nothing'), 'like', tests.id('y'))$$, '23503',
  null, 'a notification has a recipient');
insert into notifications (user_id, kind, cause, highlight_id, actor_id) values
  (tests.id('bob'), 'like', tests.id('1'), tests.id('other'), null), (tests.id('bob'), 'like', tests.id('2'), null, tests.id('shy')),
  (tests.id('shy'), 'like', tests.id('3'), null, null);
select throws_ok($$insert into notifications (user_id, kind, cause) values (tests.id('bob'), 'like', tests.id('1'))$$, '23505', null,
  'an event notifies once');
delete from highlights where id = tests.id('other');
select is_empty($$select from notifications where cause = tests.id('1')$$, 'notifications are deleted with the highlight');
delete from auth.users where id = tests.id('shy');
select is_empty($$select from notifications where cause in (tests.id('2'), tests.id('3'))$$, 'and with both people');
update notifications set created_at = now() - interval '91 days' where user_id = tests.id('ann') and kind = 'follow';
select throws_ok('select forget_old_notifications()', '42501', null, 'people don''t call the job') from tests.as_user('ann');
select tests.as_service();
select is(forget_old_notifications(), 1, 'old notifications are deleted');

select * from finish();
rollback;
