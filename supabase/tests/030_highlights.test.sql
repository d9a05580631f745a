-- Highlights: valid values and row rules.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob', 'eve', 'fay', 'pam');
update profiles set privacy_level = 'followers_only' where id = tests.id('fay');
update profiles set privacy_level = 'private' where id = tests.id('pam');
insert into follows (follower_id, following_id) values
  (tests.id('bob'), tests.id('ann')), (tests.id('bob'), tests.id('fay')), (tests.id('bob'), tests.id('pam'));
select tests.share(author, author || '-' || level, level)
from unnest(array['ann', 'fay', 'pam']) as author, unnest(array['public', 'followers_only', 'private']) as level;

-- The stricter privacy level of profile and highlight applies.
create function tests.visible() returns text[] language sql as $$
  select coalesce(array_agg(caption order by caption), '{}') from public.highlights;
$$;
select tests.as_anon();
select is(tests.visible(), array['ann-public'], 'a visitor can see only public highlights of public profiles');
select tests.as_user('eve');
select is(tests.visible(), array['ann-public'],
  'a signed-in user without follows can see only public highlights of public profiles');
select tests.as_user('bob');
select is(tests.visible(), array['ann-followers_only', 'ann-public', 'fay-followers_only', 'fay-public'],
  'a follower can also see followers-only highlights, but nothing private');
select tests.as_user('fay');
select is(tests.visible(), array['ann-public', 'fay-followers_only', 'fay-private', 'fay-public'],
  'an author can see all of their own highlights');
select tests.as_user('pam');
select is(tests.visible(), array['ann-public', 'pam-followers_only', 'pam-private', 'pam-public'],
  'an author with a private profile can see all of their own highlights');
select tests.as_service();
select is(cardinality(tests.visible()), 9, 'the service role can see all highlights');

-- A block hides highlights in both directions.
select tests.as_owner();
insert into user_blocks (blocker_id, blocked_id) values (tests.id('ann'), tests.id('eve'));
select tests.as_user('eve');
select is(tests.visible(), '{}', 'a blocked user cannot see the highlights of the blocking user');
select tests.as_owner();
select tests.share('eve', 'eve-public');
select tests.as_user('ann');
select ok(not 'eve-public' = any(tests.visible()), 'a blocking user cannot see the highlights of the blocked user');
select tests.as_anon();
select ok('eve-public' = any(tests.visible()), 'other users can see the highlights of a blocked user');
select tests.as_owner();
-- Not possible through the API, but such a row would be hidden, too.
alter table follows disable trigger refuse_blocked;
insert into follows (follower_id, following_id) values (tests.id('eve'), tests.id('ann'));
alter table follows enable trigger refuse_blocked;
select tests.as_user('eve');
select is(tests.visible(), array['eve-public'], 'a block hides highlights even from a follower');
select tests.as_owner();
delete from user_blocks;

-- A pending account deletion hides the highlights.
insert into account_deletions (user_id) values (tests.id('ann'));
select tests.as_user('bob');
select ok(not 'ann-public' = any(tests.visible()), 'a pending account deletion hides the highlights');
select tests.as_user('ann');
select ok('ann-public' = any(tests.visible()), 'the owner can see their highlights during a pending account deletion');
select tests.as_owner();
delete from account_deletions;

-- The insert that the app currently sends.
select tests.as_user('ann');
select lives_ok(format($$
  insert into highlights (author_id, mux_playback_id, caption, tags, hide_likes, video_urls, local_video_id,
    local_rally_index, rally_metadata, location_name, latitude, longitude)
  values (%L, 'https://ref.supabase.co/storage/v1/object/public/videos/u/A.mp4', 'Big #spike', '{spike}', false,
    '{https://a/1.mp4,https://a/2.mp4}', 'A1B2C3D4-0000-4000-8000-000000000000', 2,
    '{"duration": 12.5, "confidence": 0.87, "quality": 0.81, "detection_count": 64}', 'Ocean Beach', 37.76, -122.51)
  $$, tests.id('ann')), 'the insert that the app sends is accepted');
select results_eq(
  $$select duration, confidence, quality, detection_count, mux_asset_id, likes_count, comments_count, privacy_level
    from highlights where caption = 'Big #spike'$$,
  $$values (12.5::float8, 0.87::float8, 0.81::float8, 64, null::text, 0, 0, 'public')$$,
  'the rally metadata is copied into columns');
select lives_ok($$insert into highlights (id, author_id, mux_playback_id, duration)
  values (tests.id('facts'), tests.id('ann'), 'PB1', 10)$$,
  'an insert with columns instead of rally metadata is accepted');
select is((select rally_metadata from highlights where id = tests.id('facts')),
  '{"duration": 10, "confidence": 0, "quality": 0, "detection_count": 0}',
  'the columns are copied into the rally metadata');
select throws_ok($$insert into highlights (id, author_id, mux_playback_id, duration)
  values (tests.id('facts'), tests.id('ann'), 'PB1', 10)$$, '23505', null, 'a highlight ID can be inserted only once');

-- Inserts for another author, and protected columns, are refused.
select throws_ok($$insert into highlights (author_id, mux_playback_id, duration) values (tests.id('bob'), 'PB', 10)$$,
  '42501', null, 'a user cannot insert a highlight for another author');
select throws_ok(format($$insert into highlights (author_id, mux_playback_id, duration, %I)
    values (tests.id('ann'), 'PB', 10, %L)$$, field, content), '42501', null, 'a client cannot set ' || field)
from (values ('mux_asset_id', 'A'), ('likes_count', '9'), ('comments_count', '9'), ('created_at', '2030-01-01'))
  as secret (field, content);
select throws_ok(format('update highlights set %I = %I', field, field), '42501', null,
  'an author cannot update ' || field)
from unnest(array['id', 'author_id', 'mux_playback_id', 'mux_asset_id', 'thumbnail_url', 'duration', 'confidence',
  'quality', 'detection_count', 'likes_count', 'comments_count', 'video_urls', 'local_video_id', 'local_rally_index',
  'rally_metadata', 'created_at']) as field;
select is(
  tests.touched($$update highlights set caption = 'new', tags = '{new}', privacy_level = 'private', hide_likes = true,
    location_name = null, latitude = null, longitude = null where id = tests.id('facts')$$),
  1::bigint, 'an author can update caption, tags, privacy level, hidden likes and location');
select tests.as_user('bob');
select is(tests.touched($$update highlights set caption = 'bob was here' where id = tests.id('ann-public')$$), 0::bigint,
  'a user cannot update another author''s highlight');
select is(tests.touched($$delete from highlights where id = tests.id('ann-public')$$), 0::bigint,
  'a user cannot delete another author''s highlight');
select is(tests.touched('delete from highlights'), 0::bigint,
  'a delete without a filter deletes only the user''s own highlights');
select tests.as_anon();
select throws_ok('delete from highlights', '42501', null, 'a visitor cannot delete a highlight');
select throws_ok($$update highlights set caption = ''$$, '42501', null, 'a visitor cannot update a highlight');
select throws_ok($$insert into highlights (author_id, mux_playback_id, duration) values (tests.id('ann'), 'PB', 10)$$,
  '42501', null, 'a visitor cannot insert a highlight');

-- Valid values of a highlight.
select tests.as_user('ann');
select throws_ok(format($$insert into highlights (author_id, mux_playback_id, duration, %I)
    values (tests.id('ann'), 'PB', 10, %L)$$, field, content), '23514', null,
  format('the value of %s is rejected: %s', field, left(content, 20)))
from (values
  ('thumbnail_url', 'javascript:1'), ('thumbnail_url', 'https://a/' || repeat('x', 2048)),
  ('caption', repeat('x', 2201)),
  ('tags', '{""}'), ('tags', '{null}'), ('tags', '{{a,b},{c,d}}'), ('tags', array_fill('t'::text, array[735])::text),
  ('tags', array[repeat('x', 2201)]::text),
  ('confidence', '1.1'), ('confidence', '-0.1'), ('confidence', 'NaN'), ('quality', '1.1'), ('quality', '-0.1'),
  ('detection_count', '-1'), ('privacy_level', 'friends'),
  ('video_urls', '{}'), ('video_urls', '{null}'), ('video_urls', array_fill('u'::text, array[51])::text),
  ('local_rally_index', '-1'), ('latitude', '1'), ('longitude', '1'), ('location_name', repeat('x', 201)),
  ('rally_metadata', '[]'), ('rally_metadata', '"x"'),
  ('rally_metadata', '{"duration": 9, "confidence": 1, "quality": 1}'),
  ('rally_metadata', '{"duration": 9, "confidence": 1, "quality": 1, "detection_count": 1.5}'),
  ('rally_metadata', '{"duration": "9", "confidence": 1, "quality": 1, "detection_count": 1}'),
  ('rally_metadata', '{"duration": 9, "confidence": null, "quality": 1, "detection_count": 1}'),
  ('rally_metadata', format('{"duration": 9, "confidence": 1, "quality": 1, "detection_count": 1, "x": "%s"}',
    repeat('x', 5000)))
  ) as wrong (field, content);
select throws_ok(format($$insert into highlights (author_id, mux_playback_id, duration, latitude, longitude)
    values (tests.id('ann'), 'PB', 10, %s, %s)$$, latitude, longitude), '23514', null,
  'coordinates out of range are rejected')
from (values (91, 0), (-91, 0), (0, 181), (0, -181)) as place (latitude, longitude);
select throws_ok(format($$insert into highlights (author_id, mux_playback_id, duration) values (tests.id('ann'), %L, 10)$$,
    content), '23514', null, 'the playback ID is rejected: ' || left(content, 20))
from unnest(array['', 'a b', 'javascript:x', 'https://a/' || repeat('x', 2048)]) as content;
select throws_ok(format($$insert into highlights (author_id, mux_playback_id, duration) values (tests.id('ann'), 'P', %L)$$,
    seconds), '23514', null, format('a duration of %s s is rejected', seconds))
from unnest(array['2.99', '60.01', '0', '-5', 'NaN', 'Infinity']) as seconds;
select throws_ok($$insert into highlights (author_id, mux_playback_id, rally_metadata) values (tests.id('ann'), 'P',
    '{"duration": 90, "confidence": 1, "quality": 1, "detection_count": 1}')$$, '23514', null,
  'a duration out of range is rejected in rally metadata too');
select lives_ok(format($$insert into highlights (author_id, mux_playback_id, duration) values (tests.id('ann'), 'P', %L)$$,
    seconds), format('a duration of %s s is accepted', seconds))
from unnest(array['3', '60', '2.9999999', '30']) as seconds;
select lives_ok(format($$insert into highlights (author_id, mux_playback_id, duration, caption)
    values (tests.id('ann'), 'P', 10, %L)$$, repeat('🏐', 2200)), 'a caption can have 2200 characters');
select tests.as_owner();
select throws_ok(format('update highlights set %I = -1', field), '23514', null, field || ' cannot be negative')
from unnest(array['likes_count', 'comments_count', 'detection_count']) as field;
select throws_ok($$update highlights set mux_asset_id = ''$$, '23514', null, 'an asset ID cannot be empty');
update highlights set mux_asset_id = 'A1' where id = tests.id('ann-public');
select throws_ok($$update highlights set mux_asset_id = 'A1' where id = tests.id('fay-public')$$, '23505', null,
  'an asset can belong to only one highlight');
select throws_ok($$update highlights set author_id = tests.id('nobody')$$, '23503', null,
  'the author must have a profile');

-- The author's counter, and the deletion of the author.
select is((select highlights_count from profiles where id = tests.id('fay')), 3,
  'inserting highlights increases the author''s counter');
select tests.as_user('fay');
select is(tests.touched($$delete from highlights where id = tests.id('fay-private')$$), 1::bigint,
  'an author can delete their own highlight');
select tests.as_owner();
select is((select highlights_count from profiles where id = tests.id('fay')), 2,
  'deleting a highlight decreases the author''s counter');
delete from auth.users where id = tests.id('fay');
select is_empty($$select from highlights where author_id = tests.id('fay')$$,
  'deleting an author deletes their highlights');

select * from finish();
rollback;
