-- Trimming: the highlight gets a clip of its asset, and keeps its ID, likes and comments.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob');

create function tests.publish(name text, level text default 'public', count integer default 1) returns void language plpgsql as $$
declare
  ticket jsonb;
begin
  for part in 0 .. count - 1 loop
    ticket := public.create_upload(tests.id('ann'), name || part, jsonb_build_object('highlight_id', tests.id(name),
      'duration', 12, 'part', part, 'part_count', count, 'privacy_level', level));
    perform public.record_mux_upload((ticket ->> 'id')::uuid, 'u-' || name || part, 'https://mux.example/u', now() + interval '1 hour');
    perform public.apply_mux_event('event-' || name || part, 'video.asset.ready', tests.facts() || jsonb_build_object(
      'id', 'a-' || name || part, 'upload_id', 'u-' || name || part, 'playback_ids', jsonb_build_array(
        jsonb_build_object('id', 'PB-' || name || part, 'policy', ticket ->> 'policy'))));
  end loop;
end;
$$;
create function tests.trim(name text, start_seconds double precision, end_seconds double precision, author text default 'ann')
returns jsonb language sql as $$
  select public.create_trim(tests.id(author), tests.id(name), start_seconds, end_seconds);
$$;
create sequence tests.events;
grant usage on sequence tests.events to service_role;
-- An event about the clip of a trim.
create function tests.event(type text, clip jsonb, asset text, more jsonb default '{}') returns text language sql as $$
  select public.apply_mux_event('e-' || nextval('tests.events'), 'video.asset.' || type, tests.facts() || jsonb_build_object(
    'id', asset, 'passthrough', clip ->> 'id', 'duration', 5,
    'playback_ids', jsonb_build_array(jsonb_build_object('id', 'PB-' || asset, 'policy', clip ->> 'policy'))) || more);
$$;
create function tests.leftovers() returns text language sql security definer as $$
  select string_agg(id, ' ' order by id collate "C") from private.mux_leftovers;
$$;
create function tests.state(clip jsonb) returns text language sql as $$
  select concat_ws(': ', state ->> 'status', state ->> 'error') from public.trim_state(tests.id('ann'), (clip ->> 'id')::uuid) as state;
$$;
grant execute on all functions in schema tests to service_role;

select tests.as_service();
select tests.publish('clip'), tests.publish('near', 'followers_only'), tests.publish('post', 'public', 2);
select tests.as_user('bob');
insert into likes (user_id, highlight_id) values (tests.id('bob'), tests.id('clip'));
insert into comments (author_id, highlight_id, text) values (tests.id('bob'), tests.id('clip'), 'ace');
select tests.as_owner();
select tests.share('ann', 'elsewhere');

-- What can be trimmed.
select tests.as_service();
select is(tests.trim(name, first, last, author) ->> 'outcome', outcome, outcome || ': ' || name || ' ' || first || ' to ' || last)
from (values ('clip', 1, 6, 'bob', 'not_found'), ('unknown', 1, 6, 'ann', 'not_found'), ('elsewhere', 1, 6, 'ann', 'no_asset'),
  ('post', 1, 6, 'ann', 'several_clips'), ('clip', -1, 6, 'ann', 'outside'), ('clip', 6, 6, 'ann', 'outside'),
  ('clip', 7, 3, 'ann', 'outside'), ('clip', 5, 12.3, 'ann', 'outside'), ('clip', 'NaN'::float8, 6, 'ann', 'outside'),
  ('clip', 1, 3.9, 'ann', 'length')) as call (name, first, last, author, outcome);

-- The documented order.
select tests.trim('clip', 2, 7) as clip \gset
select is(:'clip'::jsonb - 'id', '{"outcome": "created", "asset_id": "a-clip0", "is_known": false, "policy": "public"}', 'a trim starts');
select is(tests.trim('clip', 2, 7) - 'outcome', :'clip'::jsonb - 'outcome', 'the same trim again is the same one');
select is(trim_state(tests.id('bob'), (:'clip'::jsonb ->> 'id')::uuid), null, 'others cannot read a trim');
select record_trim((:'clip'::jsonb ->> 'id')::uuid, 'clip-1');
select is((tests.trim('clip', 2, 7) ->> 'is_known')::boolean, true, 'the clip is known');
select record_trim((:'clip'::jsonb ->> 'id')::uuid, 'clip-2');
select is(tests.leftovers(), 'clip-2', 'a second clip is scheduled for deletion');
select is(tests.event('created', :'clip', 'clip-1'), 'applied', 'video.asset.created is applied');
select is(tests.state(:'clip'), 'waiting', 'the trim waits');
select is(tests.event('ready', :'clip', 'clip-2'), 'ignored', 'the second clip changes nothing');
select is(tests.event('ready', :'clip', 'clip-1'), 'published', 'the clip is published');
select is(tests.state(:'clip'), 'ready', 'the trim is ready');
select results_eq(
  $$select mux_asset_id, mux_playback_id, thumbnail_url, duration, (rally_metadata ->> 'duration')::float8, likes_count, comments_count
    from highlights where id = tests.id('clip')$$,
  $$values ('clip-1', 'PB-clip-1', 'https://image.mux.com/PB-clip-1/thumbnail.jpg?time=2', 5::float8, 5::float8, 1, 1)$$,
  'the highlight has the clip, and keeps its likes and comments');
select is(tests.leftovers(), 'a-clip0 clip-2', 'the old asset is scheduled for deletion');
select is(tests.event('created', :'clip', 'clip-1'), 'ignored', 'a late event changes nothing');
select is(tests.leftovers(), 'a-clip0 clip-2', 'a late event does not delete the clip');
select is(apply_mux_event('same', 'video.asset.created', jsonb_build_object('id', 'clip-1')), 'ignored', 'an event is matched by its asset');
select is(apply_mux_event('same', 'video.asset.created', jsonb_build_object('id', 'clip-1')), 'duplicate', 'an event with the same ID is a duplicate');

-- A closed highlight stays closed.
select close_videos();
select tests.trim('near', 0, 5) as near \gset
select is(:'near'::jsonb ->> 'policy', 'signed', 'the clip of a closed highlight gets a signed ID');
select is(tests.event('ready', :'near', 'near-1'), 'published', 'the response of Mux may be lost');
select is(mux_playback_id, null, 'a trimmed highlight stays closed') from highlights where id = tests.id('near');
select is((select count(*) from playback_changes() where mux_asset_id = 'near-1'), 0::bigint, 'its IDs need no change');

-- Failures, and changes in the meantime.
select tests.trim('clip', 0, 4) as bad \gset
select is(tests.event('errored', :'bad', 'bad-1', '{"errors": {"messages": ["no", "way"]}}'), 'errored', 'Mux fails');
select is(tests.state(:'bad'), 'errored: no; way', 'the trim contains the reason');
select tests.trim('clip', 0, 4) as short \gset
select is(tests.event('ready', :'short', 'short-1', '{"duration": 1}'), 'errored', 'the clip''s own facts decide');
select tests.trim('clip', 0, 4) as bare \gset
select is(tests.event('ready', :'bare', 'bare-1', '{"playback_ids": []}'), 'errored', 'a clip needs a playback ID');
select tests.trim('clip', 0, 4) as old \gset
select record_trim((:'old'::jsonb ->> 'id')::uuid, 'old-1');
select tests.trim('clip', 0, 3.5) as new \gset
select is(tests.state(:'old'), 'cancelled: a newer trim took its place', 'a newer trim cancels the older one');
select is(tests.event('ready', :'old', 'old-1'), 'ignored', 'the older clip changes nothing');
select is(mux_asset_id, 'clip-1', 'a failed trim changes nothing') from highlights where id = tests.id('clip');
select ok(tests.leftovers() ~ ('\m' || id || '\M'), id || ' is scheduled for deletion')
from unnest(array['bad-1', 'short-1', 'bare-1', 'old-1']) as id;
select tests.as_owner();
delete from highlights where id = tests.id('clip');
select tests.as_service();
select is(tests.event('ready', :'new', 'new-1'), 'ignored', 'the clip of a deleted highlight changes nothing');
select is(tests.state(:'new'), 'cancelled: the highlight was deleted or trimmed in the meantime', 'the trim of a deleted highlight ends');
select ok(tests.leftovers() ~ '\mnew-1\M', 'the clip of a deleted highlight is scheduled for deletion');

-- Lost events.
select tests.trim('near', 1, 5) as lost \gset
select tests.trim('near', 1, 4.5) as quiet \gset
select record_trim((:'quiet'::jsonb ->> 'id')::uuid, 'quiet-1');
select is_empty('select from trims_to_check()', 'a new trim is not checked');
select tests.as_owner();
update private.trims set checked_at = now() - interval '11 minutes';
select tests.as_service();
select results_eq('select mux_asset_id from trims_to_check()', array['quiet-1'], 'a trim without an event is checked');
select is_empty('select from trims_to_check()', 'a trim is checked once per ten minutes');
select tests.as_owner();
update private.trims set mux_asset_id = null, created_at = now() - interval '25 hours' where mux_asset_id = 'quiet-1';
update private.trims set created_at = now() - interval '31 days' where status = 'errored';
select tests.as_service();
select is_empty('select from trims_to_check()', 'an unknown clip cannot be checked');
select is(tests.state(:'quiet'), 'errored: Mux did not create the clip', 'a trim without a clip ends after a day');
select is(trim_state(tests.id('ann'), (:'bad'::jsonb ->> 'id')::uuid), null, 'old trims are forgotten');
select tests.as_user('ann');
select throws_ok(statement, '42501', null, 'clients cannot call: ' || statement)
from unnest(array[$$select create_trim(auth.uid(), tests.id('near'), 0, 5)$$, $$select record_trim(tests.id('x'), 'a')$$,
  $$select trim_state(auth.uid(), tests.id('x'))$$, 'select trims_to_check()']) as statement;
select tests.as_owner();
select throws_ok(format('insert into private.trims (author_id, highlight_id, source_asset_id, start_seconds, end_seconds, status) '
  'values (%L, %L, %L, %s)', tests.id('ann'), tests.id('near'), 'a', parts), '23514', null, 'not valid: ' || parts)
from unnest(array['-1, 5, ''ready''', '5, 5, ''ready''', '1, 5, ''lost''']) as parts;
select tests.as_service();
select tests.trim('near', 0, 4) as last \gset
select record_trim((:'last'::jsonb ->> 'id')::uuid, 'last-1');
select tests.as_owner();
select lives_ok($$delete from auth.users where id = tests.id('ann')$$, 'the account can be deleted');
select is_empty('select from private.trims', 'a deleted account has no trims');
select ok(tests.leftovers() ~ '\mlast-1\M', 'the clip of a deleted account is scheduled for deletion');

select * from finish();
rollback;
