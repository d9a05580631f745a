-- Highlights that aren't public have no playback ID that works without a token.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob', 'eve', 'mod');
insert into follows (follower_id, following_id) values (tests.id('bob'), tests.id('ann'));

-- Publishes a highlight of Ann whose asset has the ID of the ticket's policy.
create function tests.publish(name text, level text, count integer default 1, form text default 'id') returns text
language plpgsql as $$
declare
  ticket jsonb;
begin
  for part in 0 .. count - 1 loop
    ticket := public.create_upload(tests.id('ann'), name || part, jsonb_build_object('highlight_id', tests.id(name),
      'duration', 9, 'part', part, 'part_count', count, 'privacy_level', level));
    perform public.record_mux_upload((ticket ->> 'id')::uuid, 'u-' || name || part, 'https://mux.example/u', now() + interval '1 hour');
    perform public.apply_mux_event('event-' || name || part, 'video.asset.ready', tests.facts() || jsonb_build_object(
      'id', 'a-' || name || part, 'upload_id', 'u-' || name || part, 'playback_ids', jsonb_build_array(
        jsonb_build_object('id', 'PB-' || name || part, 'policy', ticket ->> 'policy'))), form);
  end loop;
  return ticket ->> 'policy';
end;
$$;
-- What clients read: ID, thumbnail and videos.
create function tests.shown(name text) returns text language sql as $$
  select concat_ws(' ', coalesce(mux_playback_id, 'null'), thumbnail_url, video_urls::text) from public.highlights
  where id = tests.id(name);
$$;
create function tests.open_text(name text, id text) returns text language sql as $$
  select format('%s https://image.mux.com/%s/thumbnail.jpg?time=2', id, id);
$$;
-- The assets whose IDs must change at Mux.
create function tests.pending() returns text language sql as $$
  select string_agg(mux_asset_id || case when is_closed then ' signed' else ' public' end, ', ' order by mux_asset_id)
  from public.playback_changes();
$$;
create function tests.ids(variadic names text[]) returns text language sql as $$
  select coalesce(string_agg(concat_ws(' ', playback_id, case when is_signed then 'signed' end), ', ' order by playback_id collate "C"), 'none')
  from public.playback_ids(array(select tests.id(name) from unnest(names) as name));
$$;
grant execute on all functions in schema tests to anon, authenticated, service_role;

-- Off: as before.
select tests.as_service();
select is(tests.publish('old', 'followers_only'), 'public', 'without signed playback, assets have public IDs');
select is(tests.shown('old'), tests.open_text('old', 'PB-old0'), 'without signed playback, the row contains the ID');
select tests.publish('oldest', 'public');
select tests.as_user('bob');
select is(tests.ids('old', 'oldest'), 'PB-old0, PB-oldest0', 'without signed playback, no ID needs a token');

-- On: older highlights are closed, in steps.
select tests.as_service();
select is(close_videos(1), 1, 'a call checks at most the requested number of assets');
select is(close_videos(1), 1, 'the next call continues');
select is(close_videos(1), 0, 'no assets are left');
select is(close_videos(), 0, 'a repeated call changes nothing');
select is(tests.shown('old'), 'null', 'the row of a closed highlight has no ID, no thumbnail and no videos');
select is(tests.shown('oldest'), tests.open_text('oldest', 'PB-oldest0'), 'a public highlight is unchanged');
select is(tests.pending(), 'a-old0 signed', 'the asset waits for a signed ID');
select is((select count(*) from playback_changes(0)), 0::bigint, 'playback_changes returns at most the requested number');
select tests.as_user('bob');
select is(tests.ids('old'), 'signed', 'a closed highlight has no ID until Mux has created a signed one');
select tests.as_service();
select record_playback('a-old0', null, 'S-old');
select is(tests.pending(), null, 'nothing waits after the change');
select tests.as_user('bob');
select is(tests.ids('old', 'oldest'), 'PB-oldest0, S-old signed', 'a follower gets the signed ID');

-- New highlights.
select tests.as_service();
select is(tests.publish('open', 'public'), 'public', 'the asset of a public highlight gets a public ID');
select is(tests.publish('near', 'followers_only'), 'signed', 'the asset of a highlight for followers gets a signed ID');
select is(tests.publish('own', 'private'), 'signed', 'the asset of a private highlight gets a signed ID');
select is(tests.publish('post', 'followers_only', 2), 'signed', 'the assets of a post get signed IDs');
select is(tests.publish('posts', 'public', 2, 'url'), 'public', 'the assets of a public post get public IDs');
select is(tests.shown(name), 'null', name || ' shows no ID') from unnest(array['near', 'own', 'post']) as name;
select is(tests.shown('posts'), 'https://stream.mux.com/PB-posts0.m3u8 https://image.mux.com/PB-posts0/thumbnail.jpg?time=2 '
  '{https://stream.mux.com/PB-posts0.m3u8,https://stream.mux.com/PB-posts1.m3u8}', 'a public post shows all its videos');
select is(tests.pending(), null, 'new assets need no change');
select is(upload_state(tests.id('ann'), id) ->> 'playback_id', null, 'the state of an upload has no signed ID')
from uploads where highlight_id = tests.id('near');

-- Who gets IDs.
select tests.as_user('bob');
select is(tests.ids('open', 'near', 'own', 'post'), 'PB-near0 signed, PB-open0, PB-post0 signed, PB-post1 signed',
  'a follower gets the IDs for followers');
select is((select may_download from playback_ids(array[tests.id('near')])), false, 'downloads are off by default');
select tests.as_user('ann');
select is((select may_download from playback_ids(array[tests.id('near')])), true, 'the author may download');
update highlights set allow_downloads = true where id = tests.id('near');
select tests.as_user('bob');
select is((select may_download from playback_ids(array[tests.id('near')])), true, 'others may download if the author allows it');
select tests.as_user('ann');
select is(tests.ids('near', 'own'), 'PB-near0 signed, PB-own0 signed', 'the author gets all IDs');
select tests.as_user('eve');
select is(tests.ids('open', 'near', 'own', 'post'), 'PB-open0', 'others get public IDs only');
insert into content_reports (reported_type, reported_id, reported_user_id, report_type)
values ('highlight', tests.id('open'), tests.id('ann'), 'spam');
select tests.as_owner();
insert into moderators (user_id) values (tests.id('mod'));
insert into content_reports (reporter_id, reported_type, reported_id, reported_user_id, report_type)
values (tests.id('bob'), 'highlight', tests.id('near'), tests.id('ann'), 'spam');
select tests.as_user('eve');
select is(tests.ids('near'), 'none', 'a report gives no access');
select tests.as_user('mod');
select is(tests.ids('near', 'own'), 'PB-near0 signed', 'a moderator gets the IDs of reported highlights');
select lives_ok($$insert into content_reports (reporter_id, reported_type, reported_id, reported_user_id, report_type)
  values (tests.id('mod'), 'highlight', tests.id('own'), tests.id('ann'), 'spam')$$, 'a moderator reports');
select is(tests.ids('own'), 'none', 'but gets no IDs with the own report');
select tests.as_owner();
update content_reports set status = 'dismissed';
select tests.as_user('mod');
select is(tests.ids('near'), 'none', 'a moderator gets no IDs after the decision');
select tests.as_anon();
select throws_ok($$select playback_ids('{}')$$, '42501', null, 'visitors cannot call playback_ids');
select tests.as_user('bob');
select throws_ok(statement, '42501', null, 'clients cannot call: ' || statement)
from unnest(array['select close_videos()', 'select playback_changes()', $$select record_playback('a-near0', 'x', null)$$]) as statement;

-- A client's own row.
select tests.as_user('ann');
select throws_ok($$insert into highlights (author_id, duration) values (tests.id('ann'), 9)$$, '23514', null,
  'a client cannot insert a row without a video');
insert into highlights (id, author_id, mux_playback_id, duration) values (tests.id('copy'), tests.id('ann'), 'PB-near0', 9);
select is((select is_ready from highlights where id = tests.id('copy')), false, 'a signed ID does not make a row ready');

-- The level changes.
update highlights set privacy_level = 'private' where id = tests.id('open');
select is(tests.shown('open'), 'null', 'a highlight that becomes private is closed in the same statement');
update highlights set privacy_level = 'public' where id = tests.id('near');
select is(tests.shown('near'), 'null', 'a highlight that becomes public shows no ID before Mux has created it');
select tests.as_service();
select is(tests.pending(), 'a-near0 public, a-open0 signed', 'both assets wait for their new IDs');
select record_playback('a-near0', 'P-near', null);
select is(tests.shown('near'), tests.open_text('near', 'P-near'), 'the public ID is shown when it exists');
select record_playback('a-open0', null, null);
select is(tests.pending(), 'a-open0 signed', 'an asset whose public ID is deleted still waits for the signed one');
select lives_ok($$select record_playback('a-unknown', 'x', null)$$, 'the ID of an unknown asset is ignored');
select record_playback('a-open0', null, 'S-open');
-- Back and forth before the sweep.
select tests.as_user('ann');
update highlights set privacy_level = 'followers_only' where id = tests.id('near');
update highlights set privacy_level = 'public' where id = tests.id('near');
select is(tests.shown('near'), tests.open_text('near', 'P-near'), 'a change that is undone before the sweep has no effect');
-- A post needs all IDs.
update highlights set privacy_level = 'public' where id = tests.id('post');
select tests.as_service();
select record_playback('a-post0', 'P-0', null);
select is(tests.shown('post'), 'null', 'a post shows no video before all of them are public');
select record_playback('a-post1', 'P-1', null);
select is(tests.shown('post'), 'P-0 https://image.mux.com/P-0/thumbnail.jpg?time=2 '
  '{https://stream.mux.com/P-0.m3u8,https://stream.mux.com/P-1.m3u8}', 'a post shows all videos');

-- The author's level and a pending deletion apply to all highlights.
select tests.as_user('ann');
update profiles set privacy_level = 'followers_only' where id = tests.id('ann');
select is(tests.shown(name), 'null', name || ' is closed with the profile') from unnest(array['near', 'oldest', 'posts', 'post']) as name;
select tests.as_service();
select is(tests.publish('later', 'public'), 'signed', 'a new highlight of a profile for followers is closed');
select tests.as_user('ann');
update profiles set privacy_level = 'public' where id = tests.id('ann');
select is(tests.shown('oldest'), tests.open_text('oldest', 'PB-oldest0'), 'the highlight is open again with the profile');
insert into account_deletions (user_id) values (tests.id('ann'));
select is(tests.shown('oldest'), 'null', 'a pending deletion closes the highlights');
delete from account_deletions where user_id = tests.id('ann');
select is(tests.shown('oldest'), tests.open_text('oldest', 'PB-oldest0'), 'a cancelled deletion opens them again');

-- Deleting.
select tests.as_owner();
delete from highlights where id = tests.id('oldest');
select is_empty($$select from private.playbacks where mux_asset_id = 'a-oldest0'$$, 'a deleted highlight has no IDs');
select lives_ok($$delete from auth.users where id = tests.id('ann')$$, 'the account can be deleted');
select throws_ok('insert into private.playback_rules (is_only) values (false)', '23514', null, 'there is one row of rules');

select * from finish();
rollback;
