-- Uploads: drafts stored by `POST /uploads`, idempotency, attempts, and the secret URL.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob');

create function tests.draft(highlight text, more jsonb default '{}') returns jsonb language sql as $$
  select jsonb_build_object('highlight_id', tests.id(highlight), 'caption', 'Match point #spike', 'tags', array['spike'],
    'privacy_level', 'followers_only', 'hide_likes', true, 'local_video_id', tests.id('video'), 'local_rally_index', 2,
    'duration', 12.5, 'confidence', 0.87, 'quality', 0.81, 'detection_count', 64) || more;
$$;
create function tests.open(author text, key text, highlight text, more jsonb default '{}', timeout integer default 3600)
returns jsonb language sql as $$
  select public.create_upload(tests.id(author), key, tests.draft(highlight, more), timeout);
$$;
create function tests.record(ticket jsonb, name text) returns jsonb language sql as $$
  select public.record_mux_upload((ticket ->> 'id')::uuid, 'mux-' || name, 'https://mux.example/' || name || '?token=secret',
    now() + interval '30 minutes');
$$;
grant execute on all functions in schema tests to service_role;

select tests.as_service();
select tests.open('ann', 'job1-1', 'h1') as first \gset
select is(:'first'::jsonb ->> 'outcome', 'created', 'a draft is stored');
select is(:'first'::jsonb ->> 'url', null, 'without a URL yet');
select is((:'first'::jsonb ->> 'expires_at')::bigint, floor(extract(epoch from now()))::bigint + 3600, 'valid for an hour');
select tests.as_owner();
select results_eq(
  format($$select author_id, highlight_id, caption, tags, privacy_level, hide_likes, duration, confidence, quality,
    detection_count, local_video_id, local_rally_index, status, attempt, idempotency_key from uploads where id = %L$$,
    :'first'::jsonb ->> 'id'),
  $$values (tests.id('ann'), tests.id('h1'), 'Match point #spike', '{spike}'::text[], 'followers_only', true, 12.5::float8,
    0.87::float8, 0.81::float8, 64, tests.id('video'), 2, 'waiting', 1, 'job1-1')$$, 'with everything it says');
select tests.as_service();
select tests.record(:'first', 'a') as recorded \gset
select is(:'recorded'::jsonb ->> 'outcome', 'recorded', 'what Mux answered is noted');
select is(:'recorded'::jsonb ->> 'url', 'https://mux.example/a?token=secret', 'the URL is given');
select is((:'recorded'::jsonb ->> 'expires_at')::bigint, floor(extract(epoch from now()))::bigint + 1800,
  'with Mux''s own end');
select is(tests.record(:'first', 'a') ->> 'outcome', 'known', 'noting it again is harmless');
select is(tests.record(:'first', 'b') ->> 'url', 'https://mux.example/a?token=secret',
  'of two Mux uploads the first one wins');
select is(tests.record('{"id": "00000000-0000-4000-8000-000000000000"}', 'c'), null, 'an unknown upload has no ticket');
select set_eq('select kind, id from mux_leftovers()', $$values ('upload', 'mux-b'), ('upload', 'mux-c')$$,
  'the others are left to cancel');

-- The same key again.
select is(tests.open('ann', 'job1-1', 'h1') - 'outcome', :'recorded'::jsonb - 'outcome', 'the same key gives the same upload');
select is(tests.open('ann', 'job1-1', 'h1') ->> 'outcome', 'repeated', 'and says so');
select is(tests.open('ann', 'job1-1', 'h1', '{"caption": "other"}'), '{"outcome": "different_draft"}',
  'with another draft it is a conflict');
select is(tests.open('bob', 'job1-1', 'h2') ->> 'outcome', 'created', 'bob''s keys are his own');
select tests.as_owner();
update uploads set expires_at = now() where idempotency_key = 'job1-1' and author_id = tests.id('ann');
select tests.as_service();
select is(upload_state(tests.id('ann'), (:'first'::jsonb ->> 'id')::uuid) ->> 'status', 'timed_out',
  'an upload past its time has timed out');
select is(cancel_upload(tests.id('ann'), (:'first'::jsonb ->> 'id')::uuid), 'not_waiting', 'it cannot be cancelled');
select tests.open('ann', 'job1-1', 'h1') as second \gset
select is(:'second'::jsonb ->> 'outcome', 'created', 'after that the key gives a new upload');
select is((:'second'::jsonb ->> 'attempt')::int, 2, 'the second attempt');
select is(upload_state(tests.id('ann'), (:'first'::jsonb ->> 'id')::uuid) ->> 'status', 'timed_out', 'the old one has ended');
select tests.as_owner();
select is_empty(format('select from private.upload_urls where upload_id = %L', :'first'::jsonb ->> 'id'),
  'its URL is deleted');

-- A new attempt with a new key.
select tests.as_service();
select tests.record(:'second', 'd') as recorded \gset
select tests.open('ann', 'job1-2', 'h1') as third \gset
select is(:'third'::jsonb ->> 'outcome', 'created', 'a new attempt is a new upload');
select is(upload_state(tests.id('ann'), (:'second'::jsonb ->> 'id')::uuid) ->> 'status', 'cancelled', 'the old attempt has ended');
select is(upload_state(tests.id('ann'), (:'second'::jsonb ->> 'id')::uuid) ->> 'error',
  'a newer upload of this highlight took its place', 'and says why');
select tests.as_owner();
select is_empty(format('select from private.upload_urls where upload_id = %L', :'second'::jsonb ->> 'id'), 'without URL');
select isnt_empty($$select from private.mux_leftovers where id = 'mux-d'$$, 'to be cancelled at Mux');
select is((select count(*) from uploads where highlight_id = tests.id('h1') and not superseded), 1::bigint,
  'one attempt is current');
select throws_ok($$update uploads set superseded = false where highlight_id = tests.id('h1')$$, '23505', null, 'ever');
select tests.as_service();
select is(tests.record(:'second', 'e') ->> 'outcome', 'not_waiting', 'a late response is not recorded');
select is(tests.record(:'second', 'e') ->> 'url', null, 'and gives no URL');

-- Cancelling.
select tests.record(:'third', 'f') as recorded \gset
select is(cancel_upload(tests.id('bob'), (:'third'::jsonb ->> 'id')::uuid), null, 'bob cancels no upload of ann''s');
select is(upload_state(tests.id('bob'), (:'third'::jsonb ->> 'id')::uuid), null, 'other accounts can''t read it');
select is(cancel_upload(tests.id('ann'), (:'third'::jsonb ->> 'id')::uuid), 'cancelled', 'ann does');
select is(cancel_upload(tests.id('ann'), (:'third'::jsonb ->> 'id')::uuid), 'not_waiting', 'once');
select is(upload_state(tests.id('ann'), (:'third'::jsonb ->> 'id')::uuid),
  jsonb_build_object('id', :'third'::jsonb -> 'id', 'highlight_id', tests.id('h1'), 'status', 'cancelled', 'error', null,
    'asset_id', null, 'playback_id', null, 'non_standard_input_reasons', null), 'the state has all keys of the contract');

-- The highlight already exists.
select tests.as_owner();
select tests.share('ann', 'h9');
select tests.as_service();
select is(tests.open('ann', 'job9', 'h9'), '{"outcome": "highlight_exists"}', 'no upload is needed');
select is(tests.open('bob', 'job9', 'h9'), '{"outcome": "highlight_taken"}', 'another''s id is not to be had');

-- Invalid drafts.
select throws_ok(format('select tests.open(%L, %L, %L, %L)', 'ann', 'bad', 'h8', more), '23514', null, more)
from unnest(array['{"duration": 2.9}', '{"duration": 61}', '{"caption": "' || repeat('x', 2201) || '"}', '{"tags": [""]}',
  '{"confidence": 2}', '{"quality": -1}', '{"detection_count": -1}', '{"local_rally_index": -1}',
  '{"privacy_level": "friends"}']) as more;
select throws_ok(format('select tests.open(%L, %L, %L, %L)', 'ann', 'bad', 'h8', more), code, null, more)
from (values ('{"duration": null}', '23502'), ('{"highlight_id": null}', '23502'), ('{"highlight_id": "x"}', '22P02')
  ) as wrong (more, code);
select throws_ok(format('select tests.open(%L, %L, %L)', 'ann', key, 'h8'), '23514', null, 'key of ' || length(key))
from unnest(array['', repeat('k', 256)]) as key;
select throws_ok(format('select tests.open(%L, %L, %L, %L, %s)', 'ann', 'bad', 'h8', '{}', seconds), '23514', null,
  seconds || ' s are no time')
from unnest(array[59, 604801]) as seconds;
select throws_ok($$select tests.open('nobody', 'bad', 'h8')$$, '23503', null, 'an upload has an author');
select tests.open('ann', 'least', 'h7',
  '{"caption": null, "tags": null, "privacy_level": null, "hide_likes": null, "confidence": null}') as least \gset
select is(:'least'::jsonb ->> 'outcome', 'created', 'most may be left out');
select is(tests.open('ann', 'least', 'h7',
  '{"caption": null, "tags": [], "privacy_level": "public", "hide_likes": false, "confidence": null}') ->> 'outcome',
  'repeated', 'and is then the default');

-- Read access to uploads.
select tests.record(:'least', 'z') as recorded \gset
select tests.as_user('ann');
select is((select count(*) from uploads), 4::bigint, 'ann sees her uploads');
select tests.as_user('bob');
select is((select count(*) from uploads), 1::bigint, 'bob sees his');
select throws_ok(statement, '42501', null, statement)
from unnest(array[
  'select from private.upload_urls', 'select from private.mux_leftovers', 'delete from uploads',
  'update uploads set status = $$ready$$', 'insert into uploads default values',
  'select create_upload(auth.uid(), $$k$$, $${}$$)', 'select upload_state(auth.uid(), gen_random_uuid())',
  'select record_mux_upload(gen_random_uuid(), $$m$$, $$u$$, now())', 'select cancel_upload(auth.uid(), gen_random_uuid())',
  'select * from mux_leftovers()', 'select forget_mux_leftover($$upload$$, $$x$$)', 'select time_out_uploads()',
  'select * from uploads_to_check()', 'select apply_mux_event($$e$$, $$t$$, $${}$$)',
  'select * from delete_expired_accounts()', 'select private.upload_ticket($$x$$, null)']) as statement;
select tests.as_anon();
select throws_ok('select from uploads', '42501', null, 'anon sees none');
select throws_ok('select create_upload(gen_random_uuid(), $$k$$, $${}$$)', '42501', null, 'and makes none');
select tests.as_service();
select throws_ok('select from private.upload_urls', '42501', null, 'URLs are given by the functions only');
select isnt_empty($$select from uploads$$, 'the service role sees uploads');
-- Row-level security, even if a grant were missing its restriction.
select tests.as_owner();
grant select on private.upload_urls, private.mux_leftovers, private.mux_events to authenticated;
insert into private.mux_events (id, type) values ('e', 't');
select isnt_empty('select from private.upload_urls', 'there is a URL');
select tests.as_user('ann');
select is((select count(*) from private.upload_urls), 0::bigint, 'no URL is visible even with the right to read');
select is((select count(*) from private.mux_leftovers), 0::bigint, 'leftovers at Mux are hidden');
select is((select count(*) from private.mux_events), 0::bigint, 'events are hidden');

-- Constraints.
select tests.as_owner();
select throws_ok(format('update uploads set %I = %L', field, content), '23514', null, format('%s: %s', field, content))
from (values ('status', 'lost'), ('attempt', '0'), ('privacy_level', 'friends')) as wrong (field, content);
update uploads set mux_asset_id = 'asset-1' where id = (:'first'::jsonb ->> 'id')::uuid;
select throws_ok($$update uploads set mux_asset_id = 'asset-1'$$, '23505', null, 'an asset is one upload''s');
select throws_ok($$update uploads set mux_upload_id = 'mux-a'$$, '23505', null, 'so is a Mux upload');
select throws_ok($$insert into uploads (author_id, idempotency_key, highlight_id, duration, attempt, expires_at)
  values (tests.id('ann'), 'least', gen_random_uuid(), 9, 1, now())$$, '23505', null, 'a key waits once');
select throws_ok($$insert into private.upload_urls values (gen_random_uuid(), 'u')$$, '23503', null, 'a URL has an upload');
select throws_ok($$insert into private.mux_leftovers values ('file', 'u')$$, '23514', null, 'leftovers are of two kinds');
update uploads set status = 'asset_created', mux_asset_id = 'asset-2'
where author_id = tests.id('bob');
delete from auth.users where id in (tests.id('ann'), tests.id('bob'));
select is_empty('select from uploads', 'uploads go with their author');
select is_empty('select from private.upload_urls', 'URLs go with their upload');
select isnt_empty($$select from private.mux_leftovers where kind = 'upload' and id = 'mux-z'$$, 'an open one is cancelled');
select isnt_empty($$select from private.mux_leftovers where kind = 'asset' and id = 'asset-2'$$,
  'an unneeded asset is deleted');
select tests.as_service();
select lives_ok($$select forget_mux_leftover('upload', 'mux-z')$$, 'once cancelled');
select is_empty($$select from mux_leftovers() where id = 'mux-z'$$, 'it is forgotten');
select is((select count(*) from mux_leftovers(2)), 2::bigint, 'they come in portions');
select tests.as_owner();
update private.mux_leftovers set asked_at = now() - interval '1 hour';
insert into private.mux_leftovers values ('asset', 'stuck') on conflict do nothing;
update private.mux_leftovers set asked_at = now() - interval '2 hours' where id = 'stuck';
select is((select id from mux_leftovers(1)), 'stuck', 'the leftover tried least recently comes first');
select isnt((select id from mux_leftovers(1)), 'stuck', 'a leftover that remains moves to the end');

select * from finish();
rollback;
