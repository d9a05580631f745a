-- A post exists once per family, also after its author's account was renamed.
begin;
\ir support/helpers.psql
\ir support/recruiting.psql
select no_plan();
select tests.sign_up('ann', 'pam', 'eve');
select tests.family('home', 'athlete ann', 'parent pam'), tests.family('other', 'parent eve');
select tests.coach('home', 'John', null, 'coach'), tests.coach('home', 'New', null, 'renamed');

select is(private.post_key(url), key, url)
from (values ('https://twitter.com/coach/status/12', 'twitter.com/12'), ('https://twitter.com/i/status/12', 'twitter.com/12'),
  ('https://instagram.com/p/AbC', 'instagram.com/AbC'), ('https://instagram.com/p/abc', 'instagram.com/abc')) as list (url, key);

select tests.as_user('ann');
select is(ingest_posts(tests.id('home'), jsonb_build_array(tests.post(1))) ->> 'added', '1', 'a post');
select is(tests.touched($$update social_media_posts set flagged_for_review = true, notes = 'call'$$), 1::bigint, 'with a flag and notes');
create function pg_temp.renamed(number integer, change jsonb default '{}') returns jsonb language sql as $$
  select tests.post(number, jsonb_build_object('post_url', format('https://x.com/Renamed/status/%s', number), 'author_handle', 'renamed') || change);
$$;
select is(ingest_posts(tests.id('home'), jsonb_build_array(pg_temp.renamed(1))) - 'invalid',
  '{"added": 0, "changed": 0, "unchanged": 1, "dismissed": 0}', 'after the account was renamed, the post is not added again');
select is(ingest_posts(tests.id('home'), jsonb_build_array(pg_temp.renamed(1, '{"post_content": "edited"}'))) ->> 'changed', '1', 'but it can change');
select results_eq('select post_url, author_handle, post_content, flagged_for_review, notes, coach_id from social_media_posts',
  $$values ('https://twitter.com/coach/status/1', 'Coach', 'edited', true, 'call', tests.id('John'))$$, 'and keeps everything else');
select is(ingest_posts(tests.id('home'), jsonb_build_array(tests.post(2), pg_temp.renamed(2, '{"post_content": "last"}'))) - 'invalid',
  '{"added": 1, "changed": 0, "unchanged": 0, "dismissed": 0}', 'also within a call');
select is((select post_content from social_media_posts where post_url like '%/2'), 'last', 'the last one wins');
select is(ingest_posts(tests.id('home'), jsonb_build_array(
  tests.post(3, '{"platform": "instagram", "post_url": "https://instagram.com/p/2", "author_handle": "john.ig"}'))) ->> 'added', '1',
  'another platform can use the same ID');

-- Dismissed posts.
select is(tests.touched($$delete from social_media_posts where post_url = 'https://twitter.com/coach/status/1'$$), 1::bigint, 'a deleted post');
select is(ingest_posts(tests.id('home'), jsonb_build_array(pg_temp.renamed(1))) ->> 'dismissed', '1', 'does not return under the new name');
select tests.as_owner();
insert into social_media_posts (family_unit_id, platform, post_url, post_content, post_date, author_handle, author_name)
values (tests.id('home'), 'twitter', 'https://twitter.com/renamed/status/1', 'x', now(), 'coach', 'A');
select is_empty($$select from social_media_posts where post_url = 'https://twitter.com/renamed/status/1'$$, 'nor by a concurrent call');
select is(tests.error($$insert into social_media_posts (family_unit_id, platform, post_url, post_content, post_date, author_handle, author_name)
  values (tests.id('home'), 'twitter', 'https://twitter.com/renamed/status/2', 'x', now(), 'coach', 'A')$$), '23505', 'a post is unique');
select is(tests.error($$insert into social_media_posts (family_unit_id, platform, post_url, post_content, post_date, author_handle, author_name)
  values (tests.id('other'), 'twitter', 'https://twitter.com/renamed/status/2', 'x', now(), 'coach', 'A')$$), 'ok', 'per family');

-- The migration merges the rows of earlier versions.
drop index social_media_posts_identity, dismissed_posts_identity;
insert into social_media_posts (id, family_unit_id, platform, post_url, post_content, post_date, author_handle, author_name, created_at,
  coach_id, flagged_for_review, notes)
values
  (tests.id('first'), tests.id('home'), 'twitter', 'https://twitter.com/a/status/7', 'x', now(), 'a', 'A', '2026-01-01', null, false, 'one'),
  (tests.id('second'), tests.id('home'), 'twitter', 'https://twitter.com/b/status/7', 'x', now(), 'b', 'B', '2026-01-02', tests.id('John'), true, null),
  (tests.id('third'), tests.id('home'), 'twitter', 'https://twitter.com/c/status/7', 'x', now(), 'c', 'C', '2026-01-03', tests.id('New'), false, 'two'),
  (tests.id('long'), tests.id('home'), 'twitter', 'https://twitter.com/a/status/9', 'x', now(), 'a', 'A', '2026-01-01', null, false,
    repeat(E'e\u0301', 5000)),
  (tests.id('long too'), tests.id('home'), 'twitter', 'https://twitter.com/b/status/9', 'x', now(), 'b', 'B', '2026-01-02', null, false, null),
  (tests.id('alone'), tests.id('home'), 'twitter', 'https://twitter.com/a/status/8', 'x', now(), 'a', 'A', '2026-01-01', null, false, 'kept'),
  (tests.id('other post'), tests.id('other'), 'twitter', 'https://twitter.com/a/status/7', 'x', now(), 'a', 'A', '2026-01-04', null, false, 'theirs');
-- The user removed one of the rows of the second post.
insert into dismissed_posts (family_unit_id, post_url) values (tests.id('home'), 'https://twitter.com/b/status/8');
\ir ../migrations/20261129000400_post_identity.sql
select results_eq($$select id, coach_id, flagged_for_review, notes from social_media_posts where post_url ~ '/[78]$' order by notes$$,
  $$values (tests.id('alone'), null, false, 'kept'), (tests.id('first'), tests.id('John'), true, E'one\ntwo'), (tests.id('other post'), null, false, 'theirs')$$,
  'the first row stays, with what the others have');
select is((select notes from social_media_posts where post_url ~ '/9$'), repeat(E'e\u0301', 5000), 'the only notes are not cut off');
select results_eq($$select distinct private.post_key(post_url) from dismissed_posts$$, $$values ('twitter.com/1')$$, 'only posts without a row are dismissed');
select is((select count(*) from pg_locks where pid = pg_backend_pid() and mode = 'ShareRowExclusiveLock'
  and relation in ('social_media_posts'::regclass, 'dismissed_posts'::regclass)), 2::bigint, 'no other transaction writes during the merge');
select index_is_unique('public', 'social_media_posts', 'social_media_posts_identity', 'the index is unique again');

select * from finish();
rollback;
