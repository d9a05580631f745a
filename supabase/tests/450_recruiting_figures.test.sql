-- Statistics and analytics, compared with numbers that were counted manually.
begin;
\ir support/helpers.psql
\ir support/recruiting.psql
select no_plan();
select tests.sign_up('ann', 'dan', 'eve', 'pam');
select tests.family('home', 'athlete ann', 'athlete dan', 'parent pam'), tests.family('other', 'athlete eve');
select tests.school('home', name) from unnest(array['Ohio', 'Baylor', 'Alabama', 'Cornell', 'Duke', 'Emory']) as name;
select tests.school('other', 'Rice');
select tests.coach('home', 'John', 'Ohio'), tests.coach('other', 'Ruth', 'Rice');

-- Posts `days` days ago at noon in Honolulu, which is ten hours earlier than UTC.
create function tests.posts(family text, school text, days integer, copies integer, change text default 'null', platform text default 'twitter',
  recruiting boolean default false) returns void language sql as $$
  insert into public.social_media_posts (family_unit_id, school_id, coach_id, platform, post_url, post_content, post_date, author_handle,
    author_name, sentiment, is_recruiting_related)
  select tests.id(family), tests.id(school), case school when 'Ohio' then tests.id('John') end, platform,
    case platform when 'twitter' then 'https://twitter.com/x/status/' else 'https://instagram.com/p/' end || abs(hashtext(concat_ws('/', school, days, number, change))),
    'text', ((now() at time zone 'Pacific/Honolulu')::date - days + time '12:00') at time zone 'Pacific/Honolulu', 'x', 'x', nullif(change, 'null'), recruiting
  from generate_series(1, copies) as number;
$$;
select tests.posts('home', 'Ohio', 0, 3, 'very_positive', 'twitter', true), tests.posts('home', 'Baylor', 6, 2, 'positive', 'instagram'),
  tests.posts('home', 'Alabama', 7, 2, 'negative'), tests.posts('home', 'Cornell', 29, 1, 'neutral', 'twitter', true),
  tests.posts('home', 'Duke', 30, 4), tests.posts('home', 'Emory', 89, 4), tests.posts('home', null, 90, 1, 'neutral', 'instagram', true),
  tests.posts('home', 'Ohio', 400, 1, 'negative', 'twitter', true), tests.posts('home', 'Ohio', -1, 1), tests.posts('other', 'Rice', 0, 5);
update social_media_posts set flagged_for_review = true where school_id = tests.id('Baylor');

select tests.as_user('pam');
select results_eq($$select * from post_statistics(tests.id('home'))$$, 'values (19::bigint, 16::bigint, 3::bigint, 2::bigint)', 'the statistics of a family');
select results_eq($$select * from post_statistics(tests.id('home'), tests.id('John'))$$, 'values (5::bigint, 5::bigint, 0::bigint, 0::bigint)', 'and of a coach');
select results_eq($$select * from post_statistics(tests.id('other'))$$, 'values (0::bigint, 0::bigint, 0::bigint, 0::bigint)', 'others'' posts don''t count');

create function pg_temp.figures(days integer, path text) returns text language sql as $$
  select social_analytics(tests.id('home'), days, 'Pacific/Honolulu') #>> path::text[];
$$;
select is(pg_temp.figures(days, path), result, format('%s days: %s', coalesce(days::text, 'all'), path))
from (values
  -- 3 Ohio + 2 Baylor.
  (7, '{total}', '5'), (7, '{recruiting}', '3'), (7, '{recruiting_percentage}', '60'), (7, '{analyzed}', '5'), (7, '{positive}', '5'),
  (7, '{positive_percentage}', '100'), (7, '{active_schools}', '2'), (7, '{platforms}', '{"twitter": 3, "instagram": 2}'),
  (7, '{sentiments,0}', '{"count": 3, "sentiment": "very_positive", "percentage": 60}'), (7, '{sentiments,1,percentage}', '40'),
  (7, '{sentiments,3}', '{"count": 0, "sentiment": "negative", "percentage": 0}'), (7, '{days,0,count}', '2'), (7, '{days,6,count}', '3'), (7, '{days,7}', null),
  -- And 2 Alabama, 1 Cornell.
  (30, '{total}', '8'), (30, '{recruiting}', '4'), (30, '{recruiting_percentage}', '50'), (30, '{analyzed}', '8'), (30, '{positive}', '5'),
  (30, '{positive_percentage}', '63'), (30, '{active_schools}', '4'), (30, '{days,0,count}', '1'), (30, '{days,22,count}', '2'), (30, '{days,29,count}', '3'),
  (30, '{schools,0,name}', 'Ohio'), (30, '{schools,1,name}', 'Alabama'), (30, '{schools,2,name}', 'Baylor'), (30, '{schools,3,count}', '1'), (30, '{schools,4}', null),
  -- And 4 Duke, 4 Emory; nothing of them is analyzed.
  (90, '{total}', '16'), (90, '{analyzed}', '8'), (90, '{recruiting_percentage}', '25'), (90, '{positive_percentage}', '63'), (90, '{active_schools}', '6'),
  (90, '{days,0,count}', '4'), (90, '{days,59,count}', '4'), (90, '{schools,0,name}', 'Duke'), (90, '{schools,1,name}', 'Emory'), (90, '{schools,4,name}', 'Baylor'), (90, '{schools,5}', null),
  -- All: also without a school, 400 days old, and dated tomorrow.
  (null, '{total}', '19'), (null, '{analyzed}', '10'), (null, '{positive}', '5'), (null, '{positive_percentage}', '50'), (null, '{active_schools}', '6'),
  (null, '{days,0,count}', '1'), (null, '{days,29,count}', '3'), (null, '{days,30}', null), (null, '{schools,0,name}', 'Ohio'), (null, '{schools,0,count}', '5'),
  (null, '{recent,5}', null)) as figure (days, path, result);
select is((select sum((bar ->> 'count')::integer) from jsonb_array_elements(social_analytics(tests.id('home'), days, 'Pacific/Honolulu') -> 'days') as bar),
  pg_temp.figures(days, '{total}')::bigint, format('the bars of %s days add up to the total', days))
from unnest(array[7, 30, 90]) as days;
select is((select array_agg((post ->> 'post_date')::timestamptz) from jsonb_array_elements(social_analytics(tests.id('home'), null, 'UTC') -> 'recent') as post),
  (select array_agg(post_date) from (select post_date from social_media_posts where is_recruiting_related order by post_date desc, id desc limit 5) newest),
  'the five newest recruiting posts');
select is(social_analytics(tests.id('other'), 30, 'UTC') - 'days',
  '{"total": 0, "recent": [], "schools": [], "analyzed": 0, "positive": 0, "platforms": {"twitter": 0, "instagram": 0}, "recruiting": 0, "active_schools": 0,
    "positive_percentage": 0, "recruiting_percentage": 0, "sentiments": [{"count": 0, "sentiment": "very_positive", "percentage": 0},
    {"count": 0, "sentiment": "positive", "percentage": 0}, {"count": 0, "sentiment": "neutral", "percentage": 0}, {"count": 0, "sentiment": "negative", "percentage": 0}]}'::jsonb,
  'of another family nothing is counted');
select is(pg_temp.figures(days, '{days,365,count}'), '3', 'at most 366 days') from unnest(array[366, 367, 2000000000]) as days;
select is(pg_temp.figures(days, '{days,0,count}'), '3', 'at least one day') from unnest(array[1, 0, -7]) as days;
select is(tests.error($$select social_analytics(tests.id('home'), 30, 'Mars/Base')$$), '22023', 'time zones are checked');

-- Days of 23 and of 25 hours, also in a zone without midnight on one day. The last second of a day belongs to it.
select tests.as_owner();
select tests.family('clock', 'athlete eve');
create function tests.midnight(day date, zone text) returns timestamptz language sql as $$ select day::timestamp at time zone zone $$;
create temporary table changes as select zone, day::date as day
from unnest(array['America/New_York', 'America/Santiago']) as zone, generate_series(now()::date - 350, now()::date - 3, interval '1 day') as day
where tests.midnight(day::date + 1, zone) - tests.midnight(day::date, zone) <> interval '24 hours';
insert into public.social_media_posts (family_unit_id, platform, post_url, post_content, post_date, author_handle, author_name)
select tests.id('clock'), 'twitter', 'https://twitter.com/x/status/' || row_number() over (), 'text', at, 'x', 'x'
from changes, unnest(array[tests.midnight(day, zone) - interval '1 second', tests.midnight(day, zone),
  tests.midnight(day + 1, zone) - interval '1 second', tests.midnight(day + 1, zone)]) as at;
grant select on changes to authenticated;
select tests.as_user('eve');
select is((select array_agg((bar ->> 'count')::integer order by bar ->> 'day')
    from jsonb_array_elements(social_analytics(tests.id('clock'), 366, zone) -> 'days') as bar
    where (bar ->> 'day')::date between day - 1 and day + 1), '{1,2,1}', format('%s on %s', zone, day))
from changes;
select ok(count(*) >= 3, 'the year has such days') from changes;

-- Interactions.
select tests.as_owner();
insert into interactions (family_unit_id, logged_by, type, direction, subject, content, sentiment, occurred_at)
select tests.id('home'), tests.id(who), type, direction, subject, content, sentiment, now() - ago::interval
from (values ('ann', 'email', 'outbound', 'Visit', null, 'positive', '1 day'), ('ann', 'dm', 'inbound', null, '100%_sure', null, '6 days 23 hours'),
  ('ann', 'email', 'inbound', 'offer', 'VISIT soon', 'neutral', '7 days 1 hour'), ('dan', 'email', 'outbound', 'x', 'y', 'positive', '20 days')) as entry (who, type, direction, subject, content, sentiment, ago);
create function pg_temp.counted(who text, filters text) returns text language plpgsql as $$
declare
  result text;
begin
  perform tests.as_user(who);
  execute format('select concat_ws('' '', total, outbound, inbound, this_week) from public.interaction_figures(tests.id(''home'')%s)', filters) into result;
  return result;
end;
$$;
select is(pg_temp.counted(who, filters), result, format('%s%s', who, filters))
from (values ('ann', '', '3 1 2 2'), ('dan', '', '1 1 0 0'), ('pam', '', '4 2 2 2'), ('eve', '', '0 0 0 0'), ('pam', ', '' visit ''', '2 1 1 1'), ('pam', ', ''  ''', '4 2 2 2'),
  ('pam', ', ''%_s''', '1 0 1 1'), ('pam', ', ''%x''', '0 0 0 0'), ('pam', ', type => ''email''', '3 2 1 1'), ('pam', ', direction => ''inbound''', '2 0 2 1'),
  ('pam', ', sentiment => ''positive''', '2 2 0 1'), ('pam', ', days => 7', '2 1 1 2'), ('pam', ', days => 14', '3 1 2 2'), ('pam', ', days => 90', '4 2 2 2'),
  ('pam', ', logged_by => tests.id(''dan'')', '1 1 0 0'), ('ann', ', logged_by => tests.id(''dan'')', '0 0 0 0'),
  ('pam', ', ''visit'', ''email'', ''inbound'', ''neutral'', 14, tests.id(''ann'')', '1 0 1 0')) as list (who, filters, result);
select tests.as_anon();
select is(tests.error(statement), '42501', 'visitors: ' || statement)
from unnest(array['select post_statistics(tests.id(''home''))', 'select social_analytics(tests.id(''home''))', 'select interaction_figures(tests.id(''home''))']) as statement;

select * from finish();
rollback;
