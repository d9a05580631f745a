-- No page reads a large table completely. The functions run with the owner's rights, so `explain` doesn't show their plans;
-- the statistics of this transaction do.
begin;
\ir support/helpers.psql
select no_plan();
insert into auth.users (id) select tests.id('user' || number) from generate_series(1, 400) as number;
alter table highlights disable trigger user;
alter table likes disable trigger user;
alter table comments disable trigger user;
alter table follows disable trigger user;
insert into highlights (id, author_id, mux_playback_id, caption, tags, duration, rally_metadata, created_at)
select tests.id('clip' || number), tests.id('user' || 1 + number % 400), 'PB', 'clip word' || number % 500, array['tag' || number % 200], 12,
  '{"duration": 12, "confidence": 0, "quality": 0, "detection_count": 0}', now() - make_interval(mins => 7 * number)
from generate_series(1, 8000) as number;
insert into private.highlight_scores select id, private.score_of(h, 0, 0) from highlights h;
insert into private.highlight_words select id, created_at, private.words_of(h) from highlights h;
insert into private.search_terms select 'word' || number from generate_series(1, 30000) as number;
-- Without the list of pending rows that a vacuum empties.
reindex index private.highlight_words_words;
reindex index private.search_terms_similar;
insert into likes (user_id, highlight_id, created_at)
select tests.id('user' || person), tests.id('clip' || (person * 37 + number * 13) % 8000 + 1), now() - make_interval(mins => number)
from generate_series(1, 400) as person, generate_series(1, 40) as number on conflict do nothing;
insert into comments (highlight_id, author_id, text)
select tests.id('clip' || number), tests.id('user' || 1 + number % 400), 'x' from generate_series(1, 8000) as number;
insert into follows (follower_id, following_id)
select tests.id('user' || person), tests.id('user' || 1 + (person * 7 + number) % 400)
from generate_series(1, 400) as person, generate_series(1, 30) as number where 1 + (person * 7 + number) % 400 <> person;
insert into notifications (user_id, kind, actor_id, highlight_id, cause)
select h.author_id, 'like', l.user_id, h.id, l.id from likes l join highlights h on h.id = l.highlight_id where l.user_id <> h.author_id;
insert into highlight_stats (highlight_id, day) select id, now() from highlights;
analyze highlights, likes, comments, follows, notifications, profiles, highlight_stats, private.highlight_scores, private.highlight_words,
  private.search_terms;

create function tests.scanned(query text) returns text language plpgsql as $$
declare
  before jsonb := tests.scans();
begin
  execute query;
  return coalesce((
    select string_agg(now.key, ' ') from jsonb_each(tests.scans()) as now where now.value <> before -> now.key), 'none');
end;
$$;
create function tests.scans() returns jsonb language sql volatile as $$
  select jsonb_object_agg(relname, seq_tup_read) from pg_stat_xact_user_tables
  where relname in ('highlights', 'likes', 'comments', 'follows', 'notifications', 'highlight_stats', 'highlight_scores',
    'highlight_words', 'search_terms');
$$;
grant execute on all functions in schema tests to authenticated;
select is(tests.scanned('select count(*) from public.comments'), 'comments', 'a complete read is noticed');
select tests.as_user('user1');
select is(tests.scanned(query), 'none', query)
from unnest(array[
  'select * from feed() order by created_at desc limit 20',
  'select * from following_feed()',
  'select * from follows where following_id = tests.id($$user2$$) order by created_at desc, id desc limit 20',
  'select * from follows where follower_id = tests.id($$user2$$) order by created_at desc, id desc limit 20',
  'select * from discover_highlights()',
  'select * from for_you()',
  'select * from follow_suggestions()',
  'select * from highlights_with_tag($$tag7$$)',
  'select * from search_highlights($$word7$$)',
  'select * from search_highlights($$clip$$)',
  'select * from search_highlights($$wrod7$$)',
  'select * from search_people($$user$$)',
  'select * from search_tags($$tag$$)',
  'select * from highlights where author_id = tests.id($$user2$$) order by created_at desc limit 20',
  'select *, is_liked_by_me(c), reactions(c) from comments c where highlight_id = tests.id($$clip7$$) order by created_at desc limit 20',
  'select * from notification_groups()',
  'select unread_notifications()',
  'select * from creator_analytics()',
  'select * from creator_analytics_by_day()',
  'select record_view(tests.id($$clip7$$), 5)']) as query;
select tests.as_owner();
alter table likes enable trigger user;
alter table comments enable trigger user;
alter table highlights enable trigger user;
select tests.as_user('user2');
select is(tests.scanned(query), 'none', query)
from unnest(array[
  'insert into likes (user_id, highlight_id) values (tests.id($$user2$$), tests.id($$clip1$$))',
  'delete from likes where user_id = tests.id($$user2$$) and highlight_id = tests.id($$clip1$$)',
  'insert into comments (author_id, highlight_id, text) values (tests.id($$user2$$), tests.id($$clip1$$), $$x @user$$)',
  'select mark_notifications_read()']) as query;

select * from finish();
rollback;
