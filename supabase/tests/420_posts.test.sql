-- Posts: how they are added, who reads and changes them, notices, and the state of the sync.
begin;
\ir support/helpers.psql
\ir support/recruiting.psql
select no_plan();
select tests.sign_up('ann', 'eve', 'pam');
select tests.family('home', 'athlete ann', 'parent pam'), tests.family('other', 'parent eve');
select tests.school('home', 'Stanford', 'Stanford'), tests.school('other', 'Rice'), tests.school('home', 'UCLA', 'Smith');
select tests.coach('home', 'John', 'Stanford', 'coach'), tests.coach('home', 'Solo', null, 'solo'), tests.coach('other', 'Ruth', 'Rice', 'Coach');
update coaches set instagram_handle = 'john.ig' where first_name = 'John';

-- Addresses.
select is(private.clean_post_url(platform, url), result, format('%s: %s', platform, url))
from (values
  ('twitter', 'https://x.com/Coach/status/12', 'https://twitter.com/coach/status/12'),
  ('twitter', 'http://www.twitter.com/COACH/status/12?s=20', 'https://twitter.com/coach/status/12'),
  ('twitter', 'https://mobile.twitter.com/coach/status/12/#x', 'https://twitter.com/coach/status/12'),
  ('twitter', 'https://x.com/i/web/status/12', 'https://twitter.com/i/status/12'),
  ('twitter', 'https://twitter.com/i/status/12', 'https://twitter.com/i/status/12'),
  ('twitter', 'https://x.com/coach', null), ('twitter', 'https://x.com/coach/status/', null), ('twitter', 'https://x.com/co ach/status/1', null),
  ('twitter', 'javascript:alert(1)//x.com/coach/status/1', null), ('twitter', 'https://evil.com/x.com/coach/status/1', null),
  ('twitter', 'https://x.com.evil.com/coach/status/1', null), ('twitter', 'https://x.com/coach/status/1/photo/1', null),
  ('twitter', 'https://instagram.com/p/abc', null), ('twitter', null, null),
  ('instagram', 'https://www.instagram.com/p/AbC-_1/?utm=1', 'https://instagram.com/p/AbC-_1'),
  ('instagram', 'https://instagram.com/reel/AbC', 'https://instagram.com/p/AbC'),
  ('instagram', 'https://instagram.com/john.ig/p/AbC/', 'https://instagram.com/p/AbC'),
  ('instagram', 'https://instagram.com/john.ig', null), ('instagram', 'https://x.com/coach/status/1', null)) as list (platform, url, result);

-- Adding.
select tests.as_user('ann');
select is(ingest_posts(tests.id('home'), jsonb_build_array(tests.post(1), tests.post(2, '{"is_recruiting_related": true, "sentiment": "positive"}'))),
  '{"added": 2, "changed": 0, "unchanged": 0, "dismissed": 0, "invalid": []}', 'members add posts');
select results_eq('select post_url, author_handle, coach_id, school_id, is_recruiting_related, sentiment, flagged_for_review from social_media_posts order by 1',
  $$values ('https://twitter.com/coach/status/1', 'Coach', tests.id('John'), tests.id('Stanford'), false, null, false),
    ('https://twitter.com/coach/status/2', 'Coach', tests.id('John'), tests.id('Stanford'), true, 'positive', false)$$,
  'with the coach and the school of the family whose handle it is');
select is(ingest_posts(tests.id('home'), jsonb_build_array(tests.post(1))) ->> 'unchanged', '1', 'the same post exists once');
select is(ingest_posts(tests.id('home'), jsonb_build_array(tests.post(3), tests.post(3, '{"post_url": "https://twitter.com/coach/status/3?s=1", "post_content": "last"}'))) ->> 'added',
  '1', 'also within a call');
select is((select post_content from social_media_posts where post_url like '%/3'), 'last', 'the last one wins');
select is(ingest_posts(tests.id('home'), jsonb_build_array(
  tests.post(4, '{"author_handle": "STANFORD", "author_name": ""}'), tests.post(5, '{"author_handle": "smith"}'),
  tests.post(6, '{"author_handle": "https://x.com/solo"}'), tests.post(7, '{"author_handle": "stranger"}'),
  tests.post(8, '{"platform": "instagram", "post_url": "https://instagram.com/p/A", "author_handle": "John.IG"}'))) ->> 'added', '5', 'any handle');
select results_eq($$select coach_id, school_id, author_name from social_media_posts where post_url ~ '/(4|5|6|7|A)$' order by post_url$$,
  $$values (tests.id('John'), tests.id('Stanford'), 'Coach Smith'), (null, tests.id('Stanford'), 'STANFORD'), (null, tests.id('UCLA'), 'Coach Smith'),
    (tests.id('Solo'), null, 'Coach Smith'), (null::uuid, null::uuid, 'Coach Smith')$$, 'finds coaches and schools');

-- Invalid posts are reported and left out.
select is(ingest_posts(tests.id('home'), jsonb_build_array(tests.post(20), tests.post(21, change::jsonb), '1'::jsonb)) #>> '{invalid}',
  jsonb_build_array(jsonb_build_object('index', 1, 'field', field), jsonb_build_object('index', 2, 'field', 'not an object'))::text, change)
from (values
  ('{"platform": "facebook"}', 'platform'), ('{"platform": null}', 'platform'), ('{"post_url": "https://evil.com/1"}', 'post_url'), ('{"post_url": null}', 'post_url'),
  ('{"post_content": null}', 'post_content'), ('{"post_content": 5}', 'post_content'), (format('{"post_content": "%s"}', repeat('x', 100001)), 'post_content'),
  ('{"post_date": "yesterday"}', 'post_date'), ('{"post_date": "infinity"}', 'post_date'),
  ('{"post_date": "9999-12-31T23:59:59-12:00"}', 'post_date'), ('{"post_date": 5}', 'post_date'), ('{"post_date": "2026-13-01T00:00:00Z"}', 'post_date'),
  ('{"post_date": "2026-11-20T10:00:00"}', 'post_date'), ('{"author_handle": "a b"}', 'author_handle'), ('{"author_handle": null}', 'author_handle'),
  (format('{"author_name": "%s"}', repeat('x', 201)), 'author_name'), ('{"is_recruiting_related": "yes"}', 'is_recruiting_related'),
  ('{"sentiment": "angry"}', 'sentiment')) as broken (change, field);
select is(ingest_posts(tests.id('home'), jsonb_build_array(tests.post(30, jsonb_build_object('post_date', date)))) ->> 'added', '1', 'time: ' || date)
from unnest(array['2026-11-20T10:00:00.123Z']) as date;
select is(ingest_posts(tests.id('home'), jsonb_build_array(tests.post(31, '{"post_date": "2026-11-20T10:00:00+0000"}'))) ->> 'added', '1', 'as Instagram writes it');
select is(ingest_posts(tests.id('home'), jsonb_build_array(tests.post(32, jsonb_build_object('post_content', repeat('🏐', 100000))))) ->> 'added', '1', 'long posts');
select is(tests.error(format('select ingest_posts(tests.id(''home''), %L)', posts)), '23514', 'refused: ' || left(posts, 9))
from (values ('{}'), ('null'), ((select jsonb_agg(number)::text from generate_series(1, 1001) as number))) as wrong (posts);
select is(tests.error(statement), '42501', 'not granted: ' || statement)
from unnest(array['insert into social_media_posts (family_unit_id, platform, post_url, post_content, post_date, author_handle, author_name)
    values (tests.id(''home''), ''twitter'', ''https://twitter.com/x/status/9'', '''', now(), ''x'', ''x'')',
  'update social_media_posts set post_content = ''x''', 'update social_media_posts set sentiment = null',
  'select ingest_posts(tests.id(''other''), ''[]'')', 'select begin_sync(tests.id(''other''))', 'select finish_sync(tests.id(''other''))',
  'select * from sync_handles(tests.id(''other''))', 'select save_sync_state(tests.id(''other''), ''twitter'', ''x'')',
  'insert into dismissed_posts (family_unit_id, post_url) values (tests.id(''home''), ''x'')', 'delete from dismissed_posts',
  'update post_notices set post_count = 1']) as statement;

-- Flags and notes; edited posts keep them.
select is(tests.touched($$update social_media_posts set flagged_for_review = true, notes = 'call' where post_url like '%/1'$$), 1::bigint, 'members flag');
select is(ingest_posts(tests.id('home'), jsonb_build_array(tests.post(1, '{"post_content": "edited", "sentiment": "negative", "author_handle": "stranger"}'))) ->> 'changed', '1', 'an edited post');
select results_eq($$select post_content, sentiment, flagged_for_review, notes, coach_id from social_media_posts where post_url like '%/1'$$,
  $$values ('edited', 'negative', true, 'call', tests.id('John'))$$, 'keeps flag, notes and coach');
select is(tests.error($$update social_media_posts set notes = repeat('x', 5001)$$), '23514', 'notes are limited');
select tests.as_owner();
select tests.coach('home', 'New', null, 'stranger');
select tests.as_user('pam');
select is(ingest_posts(tests.id('home'), jsonb_build_array(tests.post(7, '{"author_handle": "stranger"}'))) ->> 'changed', '1', 'a coach who was added later');
select is((select coach_id from social_media_posts where post_url like '%/7'), tests.id('New'), 'gets the earlier posts');
select is(tests.touched($$update social_media_posts set notes = null where post_url like '%/1'$$), 1::bigint, 'notes belong to the family');
select tests.as_user('eve');
select is_empty('select from social_media_posts', 'strangers see no posts');
select is(tests.touched('update social_media_posts set flagged_for_review = true'), 0::bigint, 'change none');
select is(tests.touched('delete from social_media_posts'), 0::bigint, 'and delete none');
select is(ingest_posts(tests.id('other'), jsonb_build_array(tests.post(1))) ->> 'added', '1', 'families have their own copy');
select is((select coach_id from social_media_posts), tests.id('Ruth'), 'with their own coach');

-- Deleted posts don't return.
select tests.as_user('ann');
select is(tests.touched($$delete from social_media_posts where post_url like '%/2'$$), 1::bigint, 'members delete');
select results_eq('select post_url from dismissed_posts', $$values ('https://twitter.com/coach/status/2')$$, 'and see what was dismissed');
select is(ingest_posts(tests.id('home'), jsonb_build_array(tests.post(2), tests.post(40))),
  '{"added": 1, "changed": 0, "unchanged": 0, "dismissed": 1, "invalid": []}', 'the sync does not add it again');
select tests.as_owner();
insert into social_media_posts (family_unit_id, platform, post_url, post_content, post_date, author_handle, author_name)
values (tests.id('home'), 'twitter', 'https://twitter.com/coach/status/2', 'x', now(), 'coach', 'A');
select is_empty($$select from social_media_posts where post_url like '%/2'$$, 'nor does a call that began before the deletion');
select tests.as_user('eve');
select is_empty('select from dismissed_posts', 'other families don''t see it');
select is(ingest_posts(tests.id('other'), jsonb_build_array(tests.post(2))) ->> 'added', '1', 'and keep theirs');

-- Notices.
select tests.as_user('ann');
select results_eq('select coach_id, post_count, recruiting_count from post_notices where coach_id in (tests.id($$John$$), tests.id($$Solo$$)) order by post_count',
  format('values (tests.id(''Solo''), 1, 0), (tests.id(''John''), %s, 1)', (select post_count from post_notices where coach_id = tests.id('John'))),
  'one unread notice per coach');
select is((select sum(post_count) from post_notices), (select count(*) + 1 from social_media_posts), 'which counts all new posts');
select is((select count(*) from post_notices where coach_id is null), 1::bigint, 'also those without a coach');
select is(tests.touched('update post_notices set read_at = now()'), (select count(*) from post_notices), 'members mark them as read');
select is(ingest_posts(tests.id('home'), jsonb_build_array(tests.post(41, '{"post_date": "2026-11-22T10:00:00Z"}'))) ->> 'added', '1', 'the next post');
select results_eq('select coach_id, post_count, newest_post_date from post_notices where read_at is null',
  $$values (tests.id('John'), 1, '2026-11-22T10:00:00Z'::timestamptz)$$, 'gets a new notice');
select tests.as_user('eve');
select is((select count(*) from post_notices), 1::bigint, 'own notices only');
select is(tests.touched($$update post_notices set read_at = now() where user_id <> tests.id('eve')$$), 0::bigint, 'marks no others');
select is(tests.touched($$delete from post_notices where user_id <> tests.id('eve')$$), 0::bigint, 'and deletes no others');
select is(tests.touched('delete from post_notices'), 1::bigint, 'notices can be deleted');
select tests.as_anon();
select is(tests.error('select from ' || name), '42501', 'visitors see no ' || name)
from unnest(array['social_media_posts', 'dismissed_posts', 'post_notices']) as name;
select is(tests.error(statement), '42501', 'visitors: ' || statement)
from unnest(array['select ingest_posts(tests.id(''home''), ''[]'')', 'select begin_sync(tests.id(''home''))']) as statement;

-- The sync.
select tests.as_user('ann');
select lives_ok($$select begin_sync(tests.id('home'))$$, 'a sync starts');
select tests.as_user('pam');
select is(tests.error($$select begin_sync(tests.id('home'))$$), 'PT429', 'one per family at a time');
select tests.as_user('eve');
select lives_ok($$select begin_sync(tests.id('other'))$$, 'other families have their own');
select tests.as_owner();
create function pg_temp.after(started text, is_finished boolean) returns text language plpgsql as $$
declare
  wait text;
begin
  perform tests.as_owner();
  update private.social_syncs set started_at = clock_timestamp() - started::interval, renewed_at = null,
    finished_at = case when is_finished then clock_timestamp() end where family_unit_id = tests.id('home');
  perform tests.as_user('ann');
  begin
    perform begin_sync(tests.id('home'));
    raise sqlstate 'BSC00';
  exception when sqlstate 'BSC00' then return 'ok'; when sqlstate 'PT429' then
    get stacked diagnostics wait = pg_exception_hint;
    return wait;
  end;
end;
$$;
select is(pg_temp.after(started, is_finished), result, format('%s, finished: %s', started, is_finished))
from (values ('4 min', true, '60'), ('5 min 1 sec', true, 'ok'), ('9 min', false, '60'), ('10 min 1 sec', false, 'ok'), ('0', true, '300')) as time (started, is_finished, result);
select tests.as_owner();
update private.social_syncs set finished_at = null;
select tests.as_user('ann');
select finish_sync(tests.id('home'));
select tests.as_owner();
select is((select count(*) from private.social_syncs where finished_at is not null), 1::bigint, 'a sync ends, and no other');
update coaches set archived_at = now() where first_name in ('New', 'Solo');
select tests.as_user('ann');
select save_sync_state(tests.id('home'), 'twitter', '@Coach', '77', '123');
select save_sync_state(tests.id('home'), 'twitter', 'coach', error => 'protected');
select results_eq($$select platform, handle, external_id, since_id, last_error, last_synced_at is not null from sync_handles(tests.id('home'))$$,
  $$values ('instagram', 'john.ig', null, null, null, false), ('twitter', 'smith', null, null, null, false),
    ('twitter', 'stanford', null, null, null, false), ('twitter', 'coach', '77', '123', 'protected', true)$$,
  'handles with their state, without archived coaches');
select save_sync_state(tests.id('home'), 'twitter', 'coach', since_id => '124');
select is((select last_error from sync_handles(tests.id('home')) where handle = 'coach'), null, 'a success clears the error');
select is((select since_id from sync_handles(tests.id('home')) where handle = 'coach'), '124', 'and moves on');
select is(tests.error(format('select save_sync_state(tests.id(''home''), %L, %L, %L, %L)', platform, handle, account, post)), '23514', 'refused')
from (values ('x', 'coach', null, null), ('twitter', 'a b', null, null), ('twitter', 'coach', '', null), ('twitter', 'coach', null, ''),
  ('twitter', 'coach', repeat('1', 65), null), ('twitter', 'coach', null, repeat('1', 65))) as bad (platform, handle, account, post);

-- Constraints, for the owner of the tables.
select tests.as_owner();
select is(tests.error(format('update social_media_posts set %s where post_url like ''%%/1'' and family_unit_id = tests.id(''home'')', change)), state, change)
from (values ('platform = ''instagram''', '23514'), ('platform = ''x''', '23514'), ('post_url = ''https://x.com/coach/status/1''', '23514'),
  ('post_url = ''https://evil.com''', '23514'), ('post_url = ''https://twitter.com/coach/status/3''', '23505'), ('post_content = repeat(''x'', 100001)', '23514'),
  ('post_date = ''infinity''', '23514'), ('author_handle = ''a b''', '23514'), ('author_name = ''''', '23514'), ('sentiment = ''angry''', '23514'),
  ('coach_id = tests.id(''Ruth'')', '23503'), ('school_id = tests.id(''Rice'')', '23503'), ('family_unit_id = tests.id(''none'')', '23503')) as rule (change, state);
select is(tests.error(statement), state, statement)
from (values
  ('insert into social_media_posts (family_unit_id, platform, post_url, post_content, post_date, author_handle, author_name) values (tests.id($$none$$), $$twitter$$, $$https://twitter.com/x/status/9$$, $$$$, now(), $$x$$, $$x$$)', '23503'),
  ('insert into dismissed_posts (family_unit_id, post_url) values (tests.id($$none$$), $$x$$)', '23503'),
  ('insert into private.social_syncs values (tests.id($$none$$), now())', '23503'),
  ('insert into private.social_cursors (family_unit_id, platform, handle) values (tests.id($$none$$), $$twitter$$, $$x$$)', '23503'),
  ('insert into private.social_cursors (family_unit_id, platform, handle) values (tests.id($$home$$), $$twitter$$, $$X$$)', '23514'),
  ('insert into private.social_cursors (family_unit_id, platform, handle) values (tests.id($$home$$), $$x$$, $$x$$)', '23514'),
  ('insert into private.social_cursors (family_unit_id, platform, handle, last_error) values (tests.id($$home$$), $$twitter$$, $$x$$, $$$$)', '23514'),
  ('insert into post_notices (family_unit_id, user_id, post_count, recruiting_count, newest_post_date) values (tests.id($$home$$), tests.id($$eve$$), 1, 0, now())', '23503'),
  ('insert into post_notices (family_unit_id, user_id, coach_id, post_count, recruiting_count, newest_post_date) values (tests.id($$home$$), tests.id($$ann$$), tests.id($$Ruth$$), 1, 0, now())', '23503'),
  ('insert into post_notices (family_unit_id, user_id, post_count, recruiting_count, newest_post_date) values (tests.id($$home$$), tests.id($$ann$$), 0, 0, now())', '23514'),
  ('insert into post_notices (family_unit_id, user_id, post_count, recruiting_count, newest_post_date) values (tests.id($$home$$), tests.id($$ann$$), 1, 2, now())', '23514'),
  ('insert into post_notices (family_unit_id, user_id, post_count, recruiting_count, newest_post_date, read_at) values (tests.id($$home$$), tests.id($$ann$$), 1, 0, now(), $$infinity$$)', '23514'),
  ('insert into post_notices (family_unit_id, user_id, post_count, recruiting_count, newest_post_date) select tests.id($$home$$), tests.id($$ann$$), 1, 0, now() from generate_series(1, 2)', '23505')
) as rule (statement, state);
-- The checks of handles reject other platforms, too.
select is((select count(*) from pg_constraint where conname in ('social_cursors_platform_check', 'social_media_posts_platform_check')), 2::bigint, 'platforms have a list');
update social_media_posts set updated_at = '2020-01-01';
select is_empty('select from social_media_posts where updated_at < now()', 'changes are dated');

-- Deletion.
delete from schools where id = tests.id('UCLA');
select is((select school_id from social_media_posts where post_url like '%/5'), null, 'posts stay without the school');
insert into post_notices (family_unit_id, user_id, coach_id, post_count, recruiting_count, newest_post_date)
values (tests.id('home'), tests.id('ann'), tests.id('Solo'), 1, 0, now());
delete from coaches where id = tests.id('Solo');
select is((select coach_id from social_media_posts where post_url like '%/6'), null, 'and without the coach');
select is_empty($$select from post_notices where coach_id = tests.id('Solo')$$, 'notices about the coach are deleted');
delete from family_members where user_id = tests.id('ann');
select is_empty($$select from post_notices where user_id = tests.id('ann')$$, 'who leaves loses the notices');
insert into dismissed_posts (family_unit_id, post_url) values (tests.id('home'), 'x');
delete from family_units where id = tests.id('home');
select is((select count(*) from social_media_posts where family_unit_id = tests.id('home'))
  + (select count(*) from dismissed_posts where family_unit_id = tests.id('home'))
  + (select count(*) from private.social_cursors where family_unit_id = tests.id('home'))
  + (select count(*) from private.social_syncs where family_unit_id = tests.id('home')), 0::bigint, 'a family is deleted with all posts');

select * from finish();
rollback;
