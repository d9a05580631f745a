-- Discover's scores follow the highlights.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob');
select tests.share('ann', 'old'), tests.share('ann', 'new'), tests.share('ann', 'closed', 'followers_only');
create function tests.score(what text) returns text language sql security definer as $$
  select round((score - private.score_of_time(h.created_at))::numeric, 3)::text
  from private.highlight_scores s join public.highlights h on h.id = s.highlight_id where h.id = tests.id(what);
$$;
create function tests.order_of_discover() returns text language sql as $$
  select string_agg(caption, ' ') from discover_highlights();
$$;
select is(tests.score('new'), '0.000', 'a new highlight has the score of its time');
select is(tests.score('closed'), null, 'no score for followers only');

select tests.as_user('bob');
insert into likes (user_id, highlight_id) values (tests.id('bob'), tests.id('old'));
select is(tests.score('old'), '0.700', 'a like adds points');
insert into comments (author_id, highlight_id, text) values (tests.id('bob'), tests.id('old'), 'x');
select is(tests.score('old'), '1.400', 'a comment adds two');
select tests.as_owner();
update highlights set created_at = now() - interval '16 hours' where caption = 'old';
select is(tests.order_of_discover(), 'old new', 'after 16 hours, points matter more');
update highlights set created_at = now() - interval '17 hours' where caption = 'old';
select is(tests.order_of_discover(), 'new old', 'after 17 hours, time does');
select is(tests.score('old'), '1.400', 'the points stay');

-- A popular highlight is written once per ten percent.
update highlights set likes_count = 1000 where caption = 'new';
select xmin as before from private.highlight_scores where highlight_id = tests.id('new') \gset
savepoint before;
update highlights set likes_count = 1001 where caption = 'new';
select is((select xmin::text from private.highlight_scores where highlight_id = tests.id('new')), :'before',
  'one more like writes no score');
update highlights set likes_count = 1200 where caption = 'new';
select isnt((select xmin::text from private.highlight_scores where highlight_id = tests.id('new')), :'before', '200 more do');

update highlights set privacy_level = 'public' where caption = 'closed';
select is(tests.score('closed'), '0.000', 'a highlight that becomes public gets a score');
update highlights set privacy_level = 'private' where caption = 'closed';
select is(tests.score('closed'), null, 'one that becomes private loses it');
update highlights set is_ready = false where caption = 'new';
select is(tests.score('new'), null, 'and one that is not ready');
select throws_ok(format('update private.highlight_scores set %I = -1', field), '23514', null, field || ' is not negative')
from unnest(array['views', 'completions']) as field;
delete from highlights where caption = 'new';
select is((select count(*) from private.highlight_scores), 2::bigint, 'the score is deleted with its highlight');
select throws_ok($$insert into private.highlight_scores (highlight_id) values (tests.id('nothing'))$$, '23503', null,
  'a score has a highlight');
grant select on private.highlight_scores to authenticated;
select tests.as_user('ann');
select is_empty('select from private.highlight_scores', 'row-level security hides the scores');

select * from finish();
rollback;
