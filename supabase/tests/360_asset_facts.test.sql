-- The facts of an asset decide whether a clip becomes a highlight, whatever the draft claims.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann');

create function tests.open(name text, part integer default 0, count integer default 1) returns void language sql as $$
  select public.record_mux_upload((public.create_upload(tests.id('ann'), name || part, jsonb_build_object(
      'highlight_id', tests.id(name), 'duration', 9, 'part', part, 'part_count', count)) ->> 'id')::uuid,
    'u-' || name || part, 'https://mux.example/u', now() + interval '1 hour');
$$;
create function tests.finish(name text, facts jsonb, part integer default 0, count integer default 1) returns text
language plpgsql as $$
begin
  if not exists (select from public.uploads where highlight_id = tests.id(name) and uploads.part = finish.part) then
    perform tests.open(name, part, count);
  end if;
  return public.apply_mux_event('event-' || name || part, 'video.asset.ready', tests.facts() || jsonb_build_object(
    'id', 'a-' || name || part, 'upload_id', 'u-' || name || part,
    'playback_ids', '[{"id": "PB", "policy": "public"}]'::jsonb) || facts);
end;
$$;
create function tests.track(width text, height text) returns jsonb language sql as $$
  select format('{"tracks": [{"type": "video", "max_width": %s, "max_height": %s}]}', width, height)::jsonb;
$$;
grant execute on all functions in schema tests to service_role;

select tests.as_service();
select is(tests.finish('good' || number, facts), 'published', 'published: ' || facts::text)
from (values (1, '{}'::jsonb), (2, '{"duration": 2.9}'), (3, '{"duration": 60.1}'), (4, tests.track('4096', '2160')),
  (5, tests.track('16', '214'))) as clip (number, facts);
select is(tests.finish('bad' || number, facts), 'errored', 'refused: ' || facts::text)
from (values (1, '{"duration": 2.7}'::jsonb), (2, '{"duration": 60.3}'), (3, '{"duration": null}'), (4, '{"duration": "9"}'),
  (5, tests.track('4097', '2160')), (6, tests.track('320', '15')), (7, tests.track('null', 'null')),
  (8, '{"tracks": []}'), (9, '{"tracks": [{"type": "audio"}]}'), (10, '{"tracks": null}'),
  (11, '{"tracks": [{"type": "video", "max_width": 1920, "max_height": 1080}, {"type": "video", "max_width": 1920, "max_height": 1080}]}')
) as clip (number, facts);
select is((select count(*) from highlights), 5::bigint, 'a refused asset creates no highlight');
select tests.as_owner();
select is((select count(*) from private.mux_leftovers where id like 'a-bad%'), 11::bigint, 'refused assets are scheduled for deletion');
select is_empty($$select from private.mux_leftovers where id like 'a-good%'$$, 'other assets are kept');
select tests.as_user('ann');
select is((select count(*) from notifications where kind = 'moderation' and details ->> 'action' = 'refuse'), 11::bigint,
  'the author gets a notification for each refused clip');
select is((select details ->> 'reason' from notifications where details ->> 'target_id' = tests.id('bad2')::text),
  (select error from uploads where highlight_id = tests.id('bad2')), 'the notification contains the reason');
select is(upload.status, 'errored', 'the upload of a refused clip ends') from uploads upload where upload.highlight_id = tests.id('bad1');

-- A post is published completely, or not at all.
select tests.as_service();
select is(tests.finish('post', '{}', 0, 2), 'applied', 'the first clip of a post waits');
select is(tests.finish('post', '{"duration": 99}', 1, 2), 'errored', 'a refused clip ends its post');
select is_empty($$select from highlights where id = tests.id('post')$$, 'the post of a refused clip is not published');

-- The app's own row stays hidden.
select tests.open('own');
select tests.as_user('ann');
insert into highlights (id, author_id, mux_playback_id, duration) values (tests.id('own'), tests.id('ann'), 'PB-own', 9);
select tests.as_service();
select is(tests.finish('own', '{"duration": 1}'), 'errored', 'the asset of the app''s row is refused');
select is((select is_ready from highlights where id = tests.id('own')), false, 'the row of a refused asset is not visible');

-- A project whose events lack facts.
select tests.as_owner();
update private.asset_rules set requires_facts = false;
select tests.as_service();
select is(tests.finish('loose1', '{"duration": null, "tracks": null}'), 'published', 'facts can be optional');
select is(tests.finish('loose2', '{"duration": 61}'), 'errored', 'known facts are checked in any case');
select tests.as_owner();
select throws_ok('insert into private.asset_rules (is_only) values (false)', '23514', null, 'there is one row of rules');

select * from finish();
rollback;
