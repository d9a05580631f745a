-- Feeds: order, muted people, and the row rules of the table.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob', 'cat', 'eve');
select tests.share('ann', 'old'), tests.share('ann', 'new'), tests.share('bob', 'liked'), tests.share('bob', 'secret', 'private'),
  tests.share('cat', 'friends', 'followers_only'), tests.share('cat', 'ancient');
update highlights set tags = '{spike}' where caption <> 'liked';
-- These two have the same time.
update highlights set tags = tags || array['same'] where caption in ('old', 'liked');
update highlights set created_at = now() - interval '10 hours';
update highlights set created_at = now() - interval '1 hour' where caption = 'new';
update highlights set created_at = now() - interval '31 days' where caption = 'ancient';
update highlights set likes_count = 900, comments_count = 100 where caption = 'liked';

create function tests.captions(query text) returns text language plpgsql as $$
declare
  list text;
begin
  execute format('select string_agg(caption, $s$ $s$) from (%s) page', query) into list;
  return list;
end;
$$;

select tests.as_anon();
select is(tests.captions('select * from feed() order by created_at desc, caption'), 'new liked old ancient',
  'the feed returns the latest highlights first');
select is(tests.captions($$select * from highlights_with_tag('spike')$$),
  tests.captions($$select * from highlights where tags @> '{spike}' order by created_at desc, id desc$$),
  'highlights_with_tag returns the highlights with the tag');
select is(tests.captions($$select * from highlights_with_tag('SPIKE', 1)$$), 'new',
  'highlights_with_tag ignores case and returns one page');
select is(tests.captions($$select * from highlights_with_tag('spike', 1, (select created_at from highlights
  where caption = 'new'))$$), 'old', 'highlights_with_tag returns the next page');
select is(tests.captions(format('select * from highlights_with_tag(''same'', 1, %L, %L)', created_at, id)),
  (select caption from highlights where tags @> '{same}' order by id desc offset 1 limit 1),
  'highlights_with_tag continues within a moment')
from highlights_with_tag('same', 1);
select is(tests.captions($$select * from highlights_with_tag('dig')$$), null,
  'highlights_with_tag returns nothing for an unused tag');
select is(tests.captions('select * from discover_highlights()'), 'liked new old',
  'discovery ranks popular highlights first and omits old ones');
select is(tests.captions('select * from discover_highlights(1, 1)'), 'new', 'discovery returns pages');
select tests.as_owner();
insert into user_mutes (muter_id, muted_id) values (tests.id('eve'), tests.id('ann'));
insert into follows (follower_id, following_id) values (tests.id('eve'), tests.id('cat'));
select tests.as_user('eve');
select is(tests.captions('select * from feed() order by created_at desc, caption'), 'friends liked ancient',
  'the feed omits muted users');
select is(tests.captions($$select * from highlights_with_tag('spike')$$), 'friends ancient',
  'highlights_with_tag omits muted users');
select is(tests.captions('select * from discover_highlights()'), 'liked', 'discovery omits muted users');
select isnt_empty($$select from highlights where caption = 'new'$$,
  'a user can see the highlights of a muted user in the table');
select tests.as_owner();
insert into user_blocks (blocker_id, blocked_id) values (tests.id('bob'), tests.id('eve')), (tests.id('cat'), tests.id('eve'));
select tests.as_user('eve');
select is(tests.captions('select * from feed()'), null, 'the feed omits highlights of users who block the caller');
select is(tests.captions($$select * from highlights_with_tag('spike')$$), null,
  'highlights_with_tag omits highlights of users who block the caller');
select is(tests.captions('select * from discover_highlights()'), null,
  'discovery omits highlights of users who block the caller');

select * from finish();
rollback;
