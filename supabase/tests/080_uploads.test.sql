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
select is(:'first'::jsonb ->> 'outcome', 'created', 'create_upload stores a draft');
select is(:'first'::jsonb ->> 'url', null, 'a new upload has no URL');
select is((:'first'::jsonb ->> 'expires_at')::bigint, floor(extract(epoch from now()))::bigint + 3600,
  'a new upload expires after the requested time');
select tests.as_owner();
select results_eq(
  format($$select author_id, highlight_id, caption, tags, privacy_level, hide_likes, duration, confidence, quality,
    detection_count, local_video_id, local_rally_index, status, attempt, idempotency_key from uploads where id = %L$$,
    :'first'::jsonb ->> 'id'),
  $$values (tests.id('ann'), tests.id('h1'), 'Match point #spike', '{spike}'::text[], 'followers_only', true, 12.5::float8,
    0.87::float8, 0.81::float8, 64, tests.id('video'), 2, 'waiting', 1, 'job1-1')$$,
  'the upload has all values of the draft');
select tests.as_service();
select tests.record(:'first', 'a') as recorded \gset
select is(:'recorded'::jsonb ->> 'outcome', 'recorded', 'record_mux_upload records the upload at Mux');
select is(:'recorded'::jsonb ->> 'url', 'https://mux.example/a?token=secret', 'record_mux_upload returns the URL');
select is((:'recorded'::jsonb ->> 'expires_at')::bigint, floor(extract(epoch from now()))::bigint + 1800,
  'the upload expires when Mux''s URL expires');
select is(tests.record(:'first', 'a') ->> 'outcome', 'known', 'recording the same Mux upload again has no effect');
select is(tests.record(:'first', 'b') ->> 'url', 'https://mux.example/a?token=secret',
  'the first of two recorded Mux uploads is kept');
select is(tests.record('{"id": "00000000-0000-4000-8000-000000000000"}', 'c'), null,
  'recording a Mux upload for an unknown upload returns null');
select set_eq('select kind, id from mux_leftovers()', $$values ('upload', 'mux-b'), ('upload', 'mux-c')$$,
  'unneeded Mux uploads are scheduled for cancellation');

-- The same key again.
select is(tests.open('ann', 'job1-1', 'h1') - 'outcome', :'recorded'::jsonb - 'outcome',
  'the same key returns the same upload');
select is(tests.open('ann', 'job1-1', 'h1') ->> 'outcome', 'repeated', 'the outcome for the same key is repeated');
select is(tests.open('ann', 'job1-1', 'h1', '{"caption": "other"}'), '{"outcome": "different_draft"}',
  'the same key with a different draft is a conflict');
select is(tests.open('bob', 'job1-1', 'h2') ->> 'outcome', 'created', 'each author has separate keys');
select tests.as_owner();
update uploads set expires_at = now() where idempotency_key = 'job1-1' and author_id = tests.id('ann');
select tests.as_service();
select is(upload_state(tests.id('ann'), (:'first'::jsonb ->> 'id')::uuid) ->> 'status', 'timed_out',
  'an expired upload has timed out');
select is(cancel_upload(tests.id('ann'), (:'first'::jsonb ->> 'id')::uuid), 'not_waiting',
  'an expired upload cannot be canceled');
select tests.open('ann', 'job1-1', 'h1') as second \gset
select is(:'second'::jsonb ->> 'outcome', 'created', 'the key of an expired upload creates a new upload');
select is((:'second'::jsonb ->> 'attempt')::int, 2, 'the new upload is the second attempt');
select is(upload_state(tests.id('ann'), (:'first'::jsonb ->> 'id')::uuid) ->> 'status', 'timed_out',
  'the expired attempt remains timed out');
select tests.as_owner();
select is_empty(format('select from private.upload_urls where upload_id = %L', :'first'::jsonb ->> 'id'),
  'the URL of the expired attempt is deleted');

-- A new attempt with a new key.
select tests.as_service();
select tests.record(:'second', 'd') as recorded \gset
select tests.open('ann', 'job1-2', 'h1') as third \gset
select is(:'third'::jsonb ->> 'outcome', 'created', 'a new key for the same highlight creates a new upload');
select is(upload_state(tests.id('ann'), (:'second'::jsonb ->> 'id')::uuid) ->> 'status', 'cancelled',
  'a new attempt cancels the previous one');
select is(upload_state(tests.id('ann'), (:'second'::jsonb ->> 'id')::uuid) ->> 'error',
  'a newer upload of this highlight took its place', 'the canceled attempt has an error that gives the reason');
select tests.as_owner();
select is_empty(format('select from private.upload_urls where upload_id = %L', :'second'::jsonb ->> 'id'),
  'the URL of the canceled attempt is deleted');
select isnt_empty($$select from private.mux_leftovers where id = 'mux-d'$$,
  'the Mux upload of the canceled attempt is scheduled for cancellation');
select is((select count(*) from uploads where highlight_id = tests.id('h1') and not superseded), 1::bigint,
  'a highlight has one current attempt');
select throws_ok($$update uploads set superseded = false where highlight_id = tests.id('h1')$$, '23505', null,
  'a second current attempt is rejected');
select tests.as_service();
select is(tests.record(:'second', 'e') ->> 'outcome', 'not_waiting',
  'a late response of Mux is not recorded for a canceled attempt');
select is(tests.record(:'second', 'e') ->> 'url', null, 'a late response of Mux returns no URL');

-- Cancelling.
select tests.record(:'third', 'f') as recorded \gset
select is(cancel_upload(tests.id('bob'), (:'third'::jsonb ->> 'id')::uuid), null,
  'a user cannot cancel another author''s upload');
select is(upload_state(tests.id('bob'), (:'third'::jsonb ->> 'id')::uuid), null,
  'a user cannot read another author''s upload');
select is(cancel_upload(tests.id('ann'), (:'third'::jsonb ->> 'id')::uuid), 'cancelled',
  'an author can cancel their own upload');
select is(cancel_upload(tests.id('ann'), (:'third'::jsonb ->> 'id')::uuid), 'not_waiting',
  'a canceled upload cannot be canceled again');
select is(upload_state(tests.id('ann'), (:'third'::jsonb ->> 'id')::uuid),
  jsonb_build_object('id', :'third'::jsonb -> 'id', 'highlight_id', tests.id('h1'), 'status', 'cancelled', 'error', null,
    'asset_id', null, 'playback_id', null, 'non_standard_input_reasons', null),
  'the state of an upload has all documented keys');

-- The highlight already exists.
select tests.as_owner();
select tests.share('ann', 'h9');
select tests.as_service();
select is(tests.open('ann', 'job9', 'h9'), '{"outcome": "highlight_exists"}',
  'create_upload reports a highlight that already exists');
select is(tests.open('bob', 'job9', 'h9'), '{"outcome": "highlight_taken"}',
  'create_upload reports a highlight ID that another author uses');

-- Invalid drafts.
select throws_ok(format('select tests.open(%L, %L, %L, %L)', 'ann', 'bad', 'h8', more), '23514', null,
  'the draft is rejected: ' || more)
from unnest(array['{"duration": 2.9}', '{"duration": 61}', '{"caption": "' || repeat('x', 2201) || '"}', '{"tags": [""]}',
  '{"confidence": 2}', '{"quality": -1}', '{"detection_count": -1}', '{"local_rally_index": -1}',
  '{"privacy_level": "friends"}']) as more;
select throws_ok(format('select tests.open(%L, %L, %L, %L)', 'ann', 'bad', 'h8', more), code, null,
  'the draft is rejected: ' || more)
from (values ('{"duration": null}', '23502'), ('{"highlight_id": null}', '23502'), ('{"highlight_id": "x"}', '22P02')
  ) as wrong (more, code);
select throws_ok(format('select tests.open(%L, %L, %L)', 'ann', key, 'h8'), '23514', null,
  format('a key of %s characters is rejected', length(key)))
from unnest(array['', repeat('k', 256)]) as key;
select throws_ok(format('select tests.open(%L, %L, %L, %L, %s)', 'ann', 'bad', 'h8', '{}', seconds), '23514', null,
  format('a timeout of %s s is rejected', seconds))
from unnest(array[59, 604801]) as seconds;
select throws_ok($$select tests.open('nobody', 'bad', 'h8')$$, '23503', null, 'the author of an upload must exist');
select tests.open('ann', 'least', 'h7',
  '{"caption": null, "tags": null, "privacy_level": null, "hide_likes": null, "confidence": null}') as least \gset
select is(:'least'::jsonb ->> 'outcome', 'created', 'optional values of a draft can be null');
select is(tests.open('ann', 'least', 'h7',
  '{"caption": null, "tags": [], "privacy_level": "public", "hide_likes": false, "confidence": null}') ->> 'outcome',
  'repeated', 'null and the default value are the same draft');

-- Read access to uploads.
select tests.record(:'least', 'z') as recorded \gset
select tests.as_user('ann');
select is((select count(*) from uploads), 4::bigint, 'an author can see their own uploads');
select tests.as_user('bob');
select is((select count(*) from uploads), 1::bigint, 'another author can see only their own uploads');
select throws_ok(statement, '42501', null, 'a user cannot run: ' || statement)
from unnest(array[
  'select from private.upload_urls', 'select from private.mux_leftovers', 'delete from uploads',
  'update uploads set status = $$ready$$', 'insert into uploads default values',
  'select create_upload(auth.uid(), $$k$$, $${}$$)', 'select upload_state(auth.uid(), gen_random_uuid())',
  'select record_mux_upload(gen_random_uuid(), $$m$$, $$u$$, now())', 'select cancel_upload(auth.uid(), gen_random_uuid())',
  'select * from mux_leftovers()', 'select forget_mux_leftover($$upload$$, $$x$$)', 'select time_out_uploads()',
  'select * from uploads_to_check()', 'select apply_mux_event($$e$$, $$t$$, $${}$$)',
  'select * from delete_expired_accounts()', 'select private.upload_ticket($$x$$, null)']) as statement;
select tests.as_anon();
select throws_ok('select from uploads', '42501', null, 'a visitor cannot see uploads');
select throws_ok('select create_upload(gen_random_uuid(), $$k$$, $${}$$)', '42501', null,
  'a visitor cannot create an upload');
select tests.as_service();
select throws_ok('select from private.upload_urls', '42501', null, 'the service role cannot read URLs from the table');
select isnt_empty($$select from uploads$$, 'the service role can see uploads');
-- Row-level security, even if a grant were missing its restriction.
select tests.as_owner();
grant select on private.upload_urls, private.mux_leftovers, private.mux_events to authenticated;
insert into private.mux_events (id, type) values ('e', 't');
select isnt_empty('select from private.upload_urls', 'private.upload_urls contains a URL');
select tests.as_user('ann');
select is((select count(*) from private.upload_urls), 0::bigint, 'row-level security hides URLs, even with a grant');
select is((select count(*) from private.mux_leftovers), 0::bigint,
  'row-level security hides leftovers at Mux, even with a grant');
select is((select count(*) from private.mux_events), 0::bigint,
  'row-level security hides Mux''s events, even with a grant');

-- Constraints.
select tests.as_owner();
select throws_ok(format('update uploads set %I = %L', field, content), '23514', null,
  format('the value of %s is rejected: %s', field, content))
from (values ('status', 'lost'), ('attempt', '0'), ('privacy_level', 'friends')) as wrong (field, content);
update uploads set mux_asset_id = 'asset-1' where id = (:'first'::jsonb ->> 'id')::uuid;
select throws_ok($$update uploads set mux_asset_id = 'asset-1'$$, '23505', null,
  'an asset can belong to only one upload');
select throws_ok($$update uploads set mux_upload_id = 'mux-a'$$, '23505', null,
  'a Mux upload can belong to only one upload');
select throws_ok($$insert into uploads (author_id, idempotency_key, highlight_id, duration, attempt, expires_at)
  values (tests.id('ann'), 'least', gen_random_uuid(), 9, 1, now())$$, '23505', null,
  'a key can belong to only one waiting upload');
select throws_ok($$insert into private.upload_urls values (gen_random_uuid(), 'u')$$, '23503', null,
  'the upload of a URL must exist');
select throws_ok($$insert into private.mux_leftovers values ('file', 'u')$$, '23514', null,
  'an unknown kind of leftover is rejected');
update uploads set status = 'asset_created', mux_asset_id = 'asset-2'
where author_id = tests.id('bob');
delete from auth.users where id in (tests.id('ann'), tests.id('bob'));
select is_empty('select from uploads', 'deleting an author deletes their uploads');
select is_empty('select from private.upload_urls', 'deleting an upload deletes its URL');
select isnt_empty($$select from private.mux_leftovers where kind = 'upload' and id = 'mux-z'$$,
  'deleting an author schedules waiting Mux uploads for cancellation');
select isnt_empty($$select from private.mux_leftovers where kind = 'asset' and id = 'asset-2'$$,
  'deleting an author schedules unneeded assets for deletion');
select tests.as_service();
select lives_ok($$select forget_mux_leftover('upload', 'mux-z')$$, 'forget_mux_leftover accepts a canceled upload');
select is_empty($$select from mux_leftovers() where id = 'mux-z'$$, 'a forgotten leftover is not returned again');
select is((select count(*) from mux_leftovers(2)), 2::bigint, 'mux_leftovers returns at most the requested count');
select tests.as_owner();
update private.mux_leftovers set asked_at = now() - interval '1 hour';
insert into private.mux_leftovers values ('asset', 'stuck') on conflict do nothing;
update private.mux_leftovers set asked_at = now() - interval '2 hours' where id = 'stuck';
select is((select id from mux_leftovers(1)), 'stuck', 'mux_leftovers returns the leftover tried least recently first');
select isnt((select id from mux_leftovers(1)), 'stuck', 'a leftover that remains moves to the end');

select * from finish();
rollback;
