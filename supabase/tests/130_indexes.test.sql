-- The index that each feed query uses, on tables of a relevant size.
begin;
\ir support/helpers.psql
select no_plan();

select tests.sign_up(variadic array(select 'user' || number from generate_series(1, 60) as number));
alter table highlights disable trigger user;
insert into highlights (author_id, mux_playback_id, caption, tags, duration, rally_metadata, created_at)
select tests.id('user' || 1 + number % 60), 'PB', 'clip', array['tag' || number % 200], 12,
  '{"duration": 12, "confidence": 0, "quality": 0, "detection_count": 0}', now() - make_interval(mins => number)
from generate_series(1, 3000) as number;
insert into comments (highlight_id, author_id, text)
select id, author_id, 'x' from highlights, generate_series(1, 2);
insert into follows (follower_id, following_id)
select a.id, b.id from profiles a, profiles b where a.id <> b.id;
analyze profiles, highlights, comments, follows, likes;
create function tests.plan(query text) returns text language plpgsql as $$
declare
  line text;
  plan text := '';
begin
  for line in execute 'explain (costs off) ' || query loop plan := plan || line || E'\n'; end loop;
  return plan;
end;
$$;
grant execute on function tests.plan(text) to authenticated, anon;
select tests.as_user('user1');
select matches(tests.plan(query), index, 'uses the index ' || index || ': ' || query)
from (values
  ('select * from highlights order by created_at desc limit 20', 'highlights_newest'),
  ('select * from feed() order by created_at desc limit 20', 'highlights_newest'),
  ('select * from feed() where author_id in (tests.id($$user2$$), tests.id($$user3$$)) order by created_at desc limit 20',
    'highlights_(newest|author)'),
  ('select * from highlights where author_id = tests.id($$user2$$) order by created_at desc limit 20',
    'highlights_(newest|author)'),
  ('select * from highlights where id = tests.id($$x$$)', 'highlights_pkey'),
  ('select * from comments where highlight_id = tests.id($$x$$) order by created_at desc limit 20', 'comments_highlight'),
  ('select * from follows where following_id = tests.id($$user2$$) order by created_at desc limit 20', 'follows_followers'),
  ('select * from follows where follower_id = tests.id($$user2$$) order by created_at desc limit 20', 'follows_followed'),
  ('select * from profiles where username = $$user2$$ limit 1', 'profiles_username')) as feed (query, index);

select * from finish();
rollback;
