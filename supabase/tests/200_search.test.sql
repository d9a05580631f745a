-- Search: what is found, in which order, and that nothing is found that the policies hide.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'anna', 'bob', 'cat', 'eve', 'kid');
update profiles set display_name = 'Zoë Müller', team_name = 'Beach Tigers' where username = 'ann';
update profiles set display_name = 'Anna Kowalska', team_name = 'Beach Tigers' where username = 'anna';
update profiles set team_name = 'City Owls' where username = 'bob';
create function tests.post(author text, highlight text, content text, tags text[] default '{}', level text default 'public')
returns void language sql as $$
  insert into public.highlights (id, author_id, mux_playback_id, caption, tags, duration, privacy_level)
  values (tests.id(highlight), tests.id(author), 'PB-' || highlight, content, tags, 12, level);
$$;
select tests.post('ann', 'h1', 'An unbelievable rally', '{spike}'), tests.post('ann', 'h2', 'Rally in Kraków, 100%', '{Beach}'),
  tests.post('bob', 'h3', 'Secret rally', '{secretag}', 'private'), tests.post('bob', 'h4', 'Rally for friends', '{friendtag}',
  'followers_only'), tests.post('bob', 'h5', 'Training', '{spike,rally}'), tests.post('kid', 'h6', 'First rally', '{kidtag}');
update highlights set created_at = now() - make_interval(hours => right(mux_playback_id, 1)::integer);
insert into private.birth_dates values (tests.id('kid'), current_date - 5000);

create function tests.found(query text, more text default '') returns text language plpgsql as $$
declare
  list text;
begin
  execute format('select string_agg(substr(mux_playback_id, 4), $s$ $s$) from search_highlights(%L %s)', query, more) into list;
  return list;
end;
$$;
create function tests.people(query text, more text default '') returns text language plpgsql as $$
declare
  list text;
begin
  execute format('select string_agg(username, $s$ $s$) from search_people(%L %s)', query, more) into list;
  return list;
end;
$$;

-- Captions and tags.
select tests.as_anon();
select is(tests.found(query), result, format('%s: %s', query, coalesce(result, 'nothing')))
from (values ('rally', 'h1 h2 h5'), ('RALLY', 'h1 h2 h5'), ('rally spike', 'h1 h5'), ('#spike', 'h1 h5'), ('ra', 'h1 h2 h5'),
  ('unbeleivable', 'h1'), ('unbelievable rlaly', 'h1'), ('ｒａｌｌｙ', 'h1 h2 h5'), (U&'Krako\0301w', 'h2'), ('kraków', 'h2'),
  ('secret', null), ('friends', null), ('first', null), ('', null), (' %_ ', null), ('%', null), ('volleyball', null),
  ($$'; select 1; --$$, null), (U&'\200F\200B', null), (repeat('x', 10000), null), (repeat('a ', 5000), null), ('{}', null),
  ('"rally"', 'h1 h2 h5'), ('ral\ly', null)) as search (query, result);
select is(tests.found('rally', ', 1'), 'h1', 'a page');
select is(tests.found('rally', format(', 1, %L, %L', now() - interval '1 hour', tests.id('h1'))), 'h2', 'the next page');
select is(tests.found('rally', ', 0'), null, 'an empty page');
select is((select count(*) from search_highlights('rally', 1000)), 3::bigint, 'a long page');
select is(tests.found(null), null, 'null finds nothing');
select is((select string_agg(substr(mux_playback_id, 4), ' ') from highlights_with_tag('kidtag')), null,
  'protected people are not in tags');
select tests.as_user('bob');
select is(tests.found('rally'), 'h1 h2 h3 h4 h5', 'people find their own highlights');
select tests.as_owner();
insert into follows (follower_id, following_id) select tests.id('eve'), tests.id(name) from unnest(array['bob', 'kid']) as name;
insert into user_mutes (muter_id, muted_id) values (tests.id('eve'), tests.id('ann'));
select tests.as_user('eve');
select is(tests.found('rally'), 'h4 h5 h6', 'followers find more, without muted people');
select is((select string_agg(substr(mux_playback_id, 4), ' ') from highlights_with_tag('kidtag')), 'h6', 'also with the tag');
select tests.as_owner();
insert into user_blocks (blocker_id, blocked_id) values (tests.id('bob'), tests.id('eve'));
update highlights set is_ready = false where id = tests.id('h6');
select tests.as_user('eve');
select is(tests.found('rally'), null, 'a block and a waiting highlight hide');
select tests.as_owner();
update highlights set caption = 'Pancake', tags = '{dig}' where id = tests.id('h1');
select tests.as_anon();
select is(tests.found('unbelievable') || tests.found('spike'), null, 'an old caption is not found');
select is(tests.found('pancake'), 'h1', 'the new one is');
-- Pages continue after hidden highlights.
select tests.as_owner();
select tests.post('bob', 'p' || number, 'Hidden pancake', '{}', 'private') from generate_series(1, 9) as number;
select tests.as_anon();
select is(tests.found('pancake', ', 1'), 'h1', 'hidden highlights don''t end a page');

-- Words of texts that are not public are not suggested.
select tests.as_owner();
select is_empty($$select from private.search_terms where term in ('secret', 'secretag', 'friends', '#spike')$$,
  'hidden words are not known');
select tests.post('ann', 'q1', 'Wunderbar', '{}', 'private');
update highlights set privacy_level = 'public' where id = tests.id('q1');
select tests.as_anon();
select is(tests.found('wundrbar'), 'q1', 'words become known with the highlight');
select tests.as_owner();
update profiles set privacy_level = 'private' where username = 'cat';
select tests.post('cat', 'q2', 'Verborgen', '{}'), tests.post('cat', 'q3', 'Geheimnis', '{}', 'private');
select is_empty($$select from private.search_terms where term in ('verborgen', 'geheimnis')$$, 'words of private people are not known');
update profiles set privacy_level = 'public' where username = 'cat';
select results_eq($$select term from private.search_terms where term in ('verborgen', 'geheimnis')$$, $$values ('verborgen' collate "C")$$,
  'they become known with the profile');
-- A highlight of many long tags.
select tests.post('cat', 'q4', 'Many', '{kurz}'::text[] || array(
  select string_agg(part::text, ' ') from generate_series(10000, 39999) as part group by part % 100));
select cmp_ok((select cardinality(words) from private.highlight_words where highlight_id = tests.id('q4')), '<', 2600,
  'the number of words is limited');
select is_empty($$select from private.highlight_words, unnest(words) as word where char_length(word) > 101$$, 'and their length');
select is((select string_agg(substr(mux_playback_id, 4), ' ') from highlights_with_tag('kurz')), 'q4', 'a short tag is found');
delete from highlights where id in (tests.id('q2'), tests.id('q3'), tests.id('q4'));

-- People.
select is(tests.people(query), result, format('%s: %s', query, coalesce(result, 'nobody')))
from (values ('ann', 'ann anna'), ('@ANN', 'ann anna'), ('müller', 'ann'), ('mueller', 'ann'), ('kowalsky', 'anna'),
  ('beach tigers', 'ann anna'), ('tiger', 'ann anna'), ('anan', 'ann anna'), ('kid', null), ('%', null), ('_nn', null), ('', null),
  ($$a'b$$, 'anna'), ('zoë beach', 'ann'), ('zoë owls', null), (repeat('é', 5000), null)) as search (query, result);
select tests.as_owner();
alter table profiles disable trigger user;
update profiles set followers_count = 9 where username = 'anna';
select tests.as_anon();
select is(tests.people('beach tigers'), 'anna ann', 'people with followers come first');
select is(tests.people('ann'), 'ann anna', 'after the exact username');
select is(tests.people('ann', ', 1, 1'), 'anna', 'a page');
select tests.as_user('eve');
select is(tests.people('kid'), 'kid', 'followers find a protected person');
select is(tests.people('bob'), null, 'a block hides a person');
select tests.as_owner();
update profiles set privacy_level = 'private' where username = 'anna';
select tests.as_anon();
select is(tests.people('ann'), 'ann', 'private people are not found');

-- Usernames with at most two changes.
select tests.as_owner();
update profiles set username = 'sa_mie' where username = 'bob';
select tests.as_anon();
select is(tests.people('sa_mei'), 'sa_mie', 'a misspelled username');
select is(tests.people('sa_meiers'), null, 'not with more changes');
select tests.as_owner();
update profiles set username = 'bob' where username = 'sa_mie';
select tests.as_anon();

-- Tags and teams.
select throws_ok('select refresh_labels()', '42501', null, 'people don''t call the job');
select tests.as_owner();
-- 1500 letters that can't be compressed are too long for an index.
select lives_ok($$select tests.post('ann', 'q5', 'x', array[(
  select string_agg(chr(20000 + abs(hashtext(number::text) % 8000)), '') from generate_series(1, 1500) as number)])$$, 'a tag of any letters');
select tests.as_service();
select lives_ok('select refresh_labels()', 'doesn''t stop the job');
select refresh_labels();
select refresh_labels();
select tests.as_anon();
select results_eq($$select * from search_tags('')$$, $$values ('Beach', 1), ('dig', 1), ('rally', 1), ('spike', 1)$$,
  'used tags, without hidden and protected ones');
select results_eq(format('select name from search_tags(%L)', query), format('select unnest(%L::text[])', result), query || ' is found')
from (values ('s', '{spike}'), ('#SPIK', '{spike}'), ('spikes', '{spike}'), ('xyz', '{}'), ('%', '{}'), ('bea', '{Beach}'))
  as search (query, result);
select results_eq($$select * from search_tags('', 1, 1)$$, $$values ('dig', 1)$$, 'a page of tags');
select results_eq($$select * from search_teams('tiger')$$, $$values ('Beach Tigers', 1)$$, 'teams');
select results_eq($$select name from search_teams(null)$$, $$values ('Beach Tigers'), ('City Owls')$$, 'all teams');
select tests.as_owner();
update profiles set team_name = null where username = 'bob';
update highlights set created_at = now() - interval '31 days' where id = tests.id('h5');
select tests.as_service();
select refresh_labels();
select tests.as_anon();
select results_eq($$select name from search_teams('')$$, $$values ('Beach Tigers')$$, 'an unused team disappears');
select results_eq($$select name from search_tags('')$$, $$values ('Beach'), ('dig')$$, 'and an old tag');
select tests.as_owner();
insert into account_deletions (user_id) select id from profiles where team_name = 'Beach Tigers';
select tests.as_service();
select refresh_labels();
select tests.as_anon();
select is_empty($$select from search_teams('')$$, 'the team of accounts that will be deleted disappears');
select tests.as_owner();
delete from account_deletions;

-- Rules of the tables.
select tests.as_owner();
select throws_ok($$insert into private.labels values ('word', 'x', 1)$$, '23514', null, 'labels are tags and teams');
select throws_ok($$insert into private.labels values ('tag', repeat('x', 401), 1)$$, '23514', null, 'and short');
select throws_ok($$insert into private.highlight_words values (tests.id('nothing'), now(), '{}')$$, '23503', null,
  'words have a highlight');
delete from highlights;
select is_empty('select from private.highlight_words', 'words are deleted with their highlight');
grant usage on schema private to authenticated;
grant select on private.highlight_words, private.search_terms, private.labels to authenticated;
insert into private.highlight_words select id, now(), '{}' from highlights;
select tests.post('ann', 'last', 'Last');
select tests.as_user('ann');
select is_empty('select from private.' || name, 'row-level security hides ' || name)
from unnest(array['highlight_words', 'search_terms', 'labels']) as name;

select * from finish();
rollback;
