-- Feeds: order, muted people, and the row rules of the table.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob', 'cat', 'eve');
select tests.share('ann', 'old'), tests.share('ann', 'new'), tests.share('bob', 'liked'), tests.share('bob', 'secret', 'private'),
  tests.share('cat', 'friends', 'followers_only'), tests.share('cat', 'ancient');
update highlights set tags = '{spike}' where caption <> 'liked';
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
select is(tests.captions('select * from feed() order by created_at desc, caption'), 'new liked old ancient', 'newest first');
select is(tests.captions($$select * from highlights_with_tag('spike')$$),
  tests.captions($$select * from highlights where tags @> '{spike}' order by created_at desc, id desc$$), 'by tag');
select is(tests.captions($$select * from highlights_with_tag('SPIKE', 1)$$), 'new', 'in any case, a page');
select is(tests.captions($$select * from highlights_with_tag('spike', 1, (select created_at from highlights
  where caption = 'new'))$$), 'old', 'and the next');
select is(tests.captions($$select * from highlights_with_tag('dig')$$), null, 'another tag');
select is(tests.captions('select * from discover_highlights()'), 'liked new old', 'what people like, and is not ancient');
select is(tests.captions('select * from discover_highlights(1, 1)'), 'new', 'in pages');
select tests.as_owner();
insert into user_mutes (muter_id, muted_id) values (tests.id('eve'), tests.id('ann'));
insert into follows (follower_id, following_id) values (tests.id('eve'), tests.id('cat'));
select tests.as_user('eve');
select is(tests.captions('select * from feed() order by created_at desc, caption'), 'friends liked ancient',
  'the muted are not in the feed');
select is(tests.captions($$select * from highlights_with_tag('spike')$$), 'friends ancient', 'muted people are missing');
select is(tests.captions('select * from discover_highlights()'), 'liked', 'discovery omits them, too');
select isnt_empty($$select from highlights where caption = 'new'$$, 'but on their page');
select tests.as_owner();
insert into user_blocks (blocker_id, blocked_id) values (tests.id('bob'), tests.id('eve')), (tests.id('cat'), tests.id('eve'));
select tests.as_user('eve');
select is(tests.captions('select * from feed()'), null, 'a block hides in the feed');
select is(tests.captions($$select * from highlights_with_tag('spike')$$), null, 'under tags');
select is(tests.captions('select * from discover_highlights()'), null, 'and there');

select * from finish();
rollback;
