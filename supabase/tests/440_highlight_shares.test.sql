-- Links to a highlight: sending once, opening, counting, revoking.
begin;
\ir support/helpers.psql
\ir support/recruiting.psql
select no_plan();
select tests.sign_up('ann', 'dan', 'eve', 'pam', 'bob');
select tests.family('home', 'athlete ann', 'athlete dan', 'parent pam'), tests.family('other', 'athlete eve');
select tests.school('home', 'Stanford');
select tests.coach('home', 'John', 'Stanford'), tests.coach('home', 'Mia'), tests.coach('other', 'Ruth');
select tests.share('ann', 'clip', 'private'), tests.share('dan', 'dans'), tests.share('ann', 'waiting'), tests.share('eve', 'eves');
update highlights set is_ready = false where id = tests.id('waiting');
update highlights set caption = repeat('a', 300), video_urls = array['https://example.com/1.mp4', 'https://example.com/2.mp4'] where id = tests.id('clip');

create function tests.token(name text) returns text language sql as $$ select rpad(name, 32, 'x') $$;
create function tests.send(name text, highlight text default 'clip', coach text default 'John', channel text default 'email',
  family text default 'home', token text default null, ends timestamptz default now() + interval '9 days') returns text language plpgsql as $$
begin
  return (public.send_highlight(tests.id(name), coalesce(token, tests.token(name)), tests.id(family), tests.id(highlight),
    tests.id(coach), channel, 'Watch https://example.com/s/' || name, ends)).id;
end;
$$;
grant execute on function tests.token(text), tests.send(text, text, text, text, text, text, timestamptz) to authenticated, anon, service_role;

-- Sending.
select tests.as_user('ann');
select is(tests.send('one'), tests.id('one')::text, 'an athlete sends a private highlight');
select results_eq('select type, direction, coach_id, school_id, logged_by, subject, content from interactions',
  $$values ('email', 'outbound', tests.id('John'), tests.id('Stanford'), tests.id('ann'), repeat('a', 200), 'Watch https://example.com/s/one')$$,
  'which is an interaction');
select is((select last_contact_date from coaches where id = tests.id('John')), now(), 'and the last contact');
select results_eq('select highlight_id, coach_id, sent_by, channel, token_hash, open_count, interaction_id from highlight_shares',
  $$values (tests.id('clip'), tests.id('John'), tests.id('ann'), 'email', encode(sha256(tests.token('one')::bytea), 'hex'), 0, (select id from interactions))$$,
  'the token is stored as a hash');
select is(tests.send('one'), tests.id('one')::text, 'the same request again');
select is(tests.send('one', ends => now() - interval '1 day'), tests.id('one')::text, 'also after the link has expired');
select is((select count(*) from interactions) + (select count(*) from highlight_shares), 2::bigint, 'changes nothing');
select is(tests.error(statement), 'PT409', statement)
from unnest(array['select tests.send(''one'', coach => ''Mia'')', 'select tests.send(''one'', channel => ''dm'')', 'select tests.send(''one'', token => tests.token(''two''))',
  'select tests.send(''two'', token => tests.token(''one''))', 'select tests.send(''two'', ''waiting'')', 'select tests.send(''one'', ''dans'')']) as statement;
select is(tests.error(statement), state, statement)
from (values ('select tests.send(''two'', ''dans'')', 'PT404'), ('select tests.send(''two'', ''nothing'')', 'PT404'), ('select tests.send(''two'', coach => ''Ruth'')', 'PT404'),
  ('select tests.send(''two'', token => ''short'')', '23514'), ('select tests.send(''two'', token => rpad(''!'', 32))', '23514'), ('select tests.send(''two'', channel => ''camp'')', '23514'),
  ('select tests.send(''two'', ends => now())', '23514'), ('select tests.send(''two'', ends => now() + interval ''2 years'')', '23514'),
  ('select tests.send(''two'', family => ''other'', coach => ''Ruth'')', '42501'), ('insert into highlight_shares (id) values (tests.id(''x''))', '42501'),
  ('update highlight_shares set revoked_at = null', '42501'), ('delete from highlight_shares', '42501'),
  ('select open_highlight_share(tests.token(''one''))', '42501')) as bad (statement, state);
select tests.as_user('pam');
select is(tests.error('select tests.send(''two'')'), '42501', 'parents don''t send');
select tests.as_user('dan');
select is(tests.error('select tests.send(''two'')'), 'PT404', 'highlights of others can''t be sent');
select is(tests.error('select tests.send(''one'', ''dans'')'), 'PT409', 'or uses others'' links');
select is(tests.send('dans-link', 'dans', 'Mia', 'dm'), tests.id('dans-link')::text, 'a second athlete sends');
select tests.as_owner();
update highlights set caption = ' ' where id = tests.id('dans');
select tests.as_user('dan');
select tests.send('again', 'dans', 'Mia', 'text');
select is((select subject from interactions order by created_at desc, type desc limit 1), 'Highlight', 'without a caption');

-- A restricted account publishes nothing, also not to a coach.
select tests.as_owner();
insert into private.moderation_actions (moderator_id, user_id, action, target_type, target_id, reason, until, created_at)
values (tests.id('bob'), tests.id('dan'), 'restrict', 'user_profile', tests.id('dan'), 'x', now() + interval '1 day', now() - interval '1 hour');
select tests.as_user('dan');
select is(tests.error($$select tests.send('restricted', 'dans', 'Mia')$$), '42501', 'a restricted account sends nothing');
select is(tests.send('again', 'dans', 'Mia', 'text'), tests.id('again')::text, 'but repeats a request that was executed');
select tests.as_owner();
insert into private.moderation_actions (moderator_id, user_id, action, target_type, target_id, reason)
values (tests.id('bob'), tests.id('dan'), 'lift', 'user_profile', tests.id('dan'), 'x');
select tests.as_user('dan');
select is(tests.error($$select tests.send('restricted', 'dans', 'Mia')$$), 'ok', 'until the restriction is lifted');

-- Reading.
create function pg_temp.seen(who text) returns bigint language plpgsql as $$
begin
  perform tests.as_user(who);
  return (select count(*) from highlight_shares);
end;
$$;
select tests.as_owner();
select is(pg_temp.seen(who), number, format('%s sees %s', who, number))
from (values ('ann', 1::bigint), ('dan', 2), ('pam', 3), ('eve', 0), ('bob', 0)) as list (who, number);
select tests.as_anon();
select is(tests.error(statement), '42501', 'visitors: ' || statement)
from unnest(array['select from highlight_shares', 'select open_highlight_share(tests.token(''one''))', 'select revoke_highlight_share(tests.id(''one''))', 'select tests.send(''x'')']) as statement;

-- Opening.
select tests.as_service();
select results_eq($$select share_id, highlight_id, mux_playback_id, video_urls, display_name from open_highlight_share(tests.token('one'))$$,
  $$values (tests.id('one'), tests.id('clip'), 'https://example.com/clip.mp4', array['https://example.com/1.mp4', 'https://example.com/2.mp4'], 'ann')$$, 'a link shows its highlight');
select is((select clips from open_highlight_share(tests.token('one'), tests.id('ann'))), null, 'without clips at Mux');
select tests.as_owner();
insert into private.playbacks (mux_asset_id, highlight_id, part, is_closed, public_id, signed_id) values
  ('asset2', tests.id('clip'), 1, true, null, 'signed2'), ('asset1', tests.id('clip'), 0, true, 'public1', 'signed1'),
  ('asset3', tests.id('clip'), 2, false, 'public3', null), ('asset4', tests.id('clip'), 3, false, null, 'signed4'),
  ('other', tests.id('eves'), 0, false, 'public5', null);
select tests.as_service();
select is((select clips from open_highlight_share(tests.token('one'), tests.id('ann'))),
  '[{"part": 0, "is_signed": true, "playback_id": "signed1"}, {"part": 1, "is_signed": true, "playback_id": "signed2"},
    {"part": 2, "is_signed": false, "playback_id": "public3"}, {"part": 3, "is_signed": true, "playback_id": "signed4"}]',
  'the playback IDs of its clips, signed ones for a closed video');
select is((select count(*) from open_highlight_share(tests.token('one'), viewer)), 1::bigint, 'for everyone') from unnest(array[null, tests.id('bob'), tests.id('eve')]) as viewer;
select is((select count(*) from open_highlight_share(tests.token('one'), tests.id(member))), 1::bigint, 'also for the family') from unnest(array['ann', 'dan', 'pam']) as member;
select is((select count(*) from open_highlight_share(tests.token('one'), null, false)), 1::bigint, 'and for previews');
select is(tests.error($$select open_highlight_share('')$$), 'PT404', 'an unknown token');
select is(tests.error('select open_highlight_share(null)'), 'PT404', 'none');
select is(tests.error($$select open_highlight_share(encode(sha256(tests.token('one')::bytea), 'hex'))$$), 'PT404', 'the stored hash is not a token');
select tests.as_user('ann');
select results_eq('select open_count, first_opened_at from highlight_shares', 'values (4, now())', 'openings by others count');
select tests.as_owner();
update highlight_shares set first_opened_at = '2026-01-01' where id = tests.id('one');
select tests.as_service();
select count(*) from open_highlight_share(tests.token('one'));
select tests.as_owner();
select results_eq($$select open_count, first_opened_at from highlight_shares where id = tests.id('one')$$, $$values (5, '2026-01-01'::timestamptz)$$, 'the first opening stays');
create function pg_temp.opened(change text, undo text) returns text language plpgsql as $$
declare
  result text;
begin
  perform tests.as_owner();
  execute change;
  perform tests.as_service();
  result := tests.error('select open_highlight_share(tests.token(''one''))');
  perform tests.as_owner();
  execute undo;
  return result;
end;
$$;
select is(pg_temp.opened(change, undo), state, change)
from (values ('select', 'select', 'ok'),
  ('update highlight_shares set expires_at = now()', 'update highlight_shares set expires_at = now() + interval $$1 day$$', 'PT410'),
  ('update highlight_shares set revoked_at = now()', 'update highlight_shares set revoked_at = null', 'PT410'),
  ('insert into account_deletions (user_id) values (tests.id($$ann$$))', 'delete from account_deletions', 'PT404'),
  ('update highlights set is_ready = false', 'update highlights set is_ready = id <> tests.id($$waiting$$)', 'PT404'),
  ('insert into user_blocks (blocker_id, blocked_id) values (tests.id($$ann$$), tests.id($$bob$$))', 'select', 'ok')) as list (change, undo, state);

-- Revoking.
select tests.as_user('eve');
select is(tests.error($$select revoke_highlight_share(tests.id('one'))$$), 'PT404', 'strangers revoke nothing');
select tests.as_user('dan');
select is(tests.error($$select revoke_highlight_share(tests.id('one'))$$), 'PT404', 'nor do other athletes');
select is(revoke_highlight_share(tests.id('dans-link')), now(), 'the sender revokes');
select tests.as_owner();
update highlight_shares set revoked_at = '2026-01-01' where id = tests.id('dans-link');
select tests.as_user('pam');
select is(revoke_highlight_share(tests.id('dans-link')), '2026-01-01'::timestamptz, 'again, nothing changes');
select is(revoke_highlight_share(tests.id('one')), now(), 'parents revoke');
select tests.as_user('ann');
select is(tests.send('one'), tests.id('one')::text, 'sending again');
select tests.as_service();
select is(tests.error($$select open_highlight_share(tests.token('one'))$$), 'PT410', 'doesn''t make a revoked link work');

-- Deletion.
select tests.as_user('ann');
select tests.send('two', 'clip', 'Mia', 'tweet'), tests.send('three');
delete from interactions where id = (select interaction_id from highlight_shares where id = tests.id('two'));
select is((select interaction_id from highlight_shares where id = tests.id('two')), null, 'a link works without its interaction');
select tests.as_service();
select is(tests.error($$select open_highlight_share(tests.token('two'))$$), 'ok', 'and opens');
select tests.as_owner();
update family_members set role = 'parent' where user_id = tests.id('ann');
select tests.as_user('ann');
select is(tests.error('select tests.send(''four'')'), '42501', 'only athletes send');
select tests.as_owner();
delete from family_members where user_id = tests.id('ann');
select is((select count(*) from highlight_shares where sent_by = tests.id('ann') and revoked_at is null), 0::bigint, 'who leaves has no open links');
select is((select count(*) from highlight_shares where sent_by = tests.id('dan') and revoked_at is null), 1::bigint, 'others'' links stay');
select tests.as_user('ann');
select is_empty('select from highlight_shares', 'and sees none');
select is(tests.error($$select revoke_highlight_share(tests.id('two'))$$), 'PT404', 'or revokes any');
select tests.as_owner();
select is(tests.error(format('update highlight_shares set %s where id = tests.id(''two'')', change)), state, change)
from (values ('channel = ''camp''', '23514'), ('token_hash = ''x''', '23514'), ('token_hash = (select token_hash from highlight_shares where id = tests.id(''one''))', '23505'),
  ('open_count = -1, first_opened_at = now()', '23514'), ('open_count = 5, first_opened_at = null', '23514'), ('coach_id = tests.id(''Ruth'')', '23503'), ('sent_by = tests.id(''none'')', '23503'),
  ('highlight_id = tests.id(''none'')', '23503'), ('family_unit_id = tests.id(''none'')', '23503'), ('interaction_id = tests.id(''none'')', '23503')) as rule (change, state);
delete from coaches where id = tests.id('Mia');
select is((select count(*) from highlight_shares), 2::bigint, 'links to a coach who is deleted are deleted');
delete from highlights where id = tests.id('clip');
select is_empty('select from highlight_shares', 'and those of a deleted highlight');
select tests.as_user('dan');
select tests.send('five', 'dans');
select tests.as_user('eve');
select tests.send('six', 'eves', 'Ruth', family => 'other');
select tests.as_owner();
delete from family_units where id = tests.id('other');
select is((select count(*) from highlight_shares), 1::bigint, 'a family is deleted with its links');
insert into highlight_shares (highlight_id, family_unit_id, coach_id, sent_by, channel, token_hash, expires_at)
values (tests.id('eves'), tests.id('home'), tests.id('John'), tests.id('dan'), 'dm', repeat('a', 64), now());
delete from auth.users where id = tests.id('dan');
select is_empty('select from highlight_shares', 'and an account with those it sent');

select * from finish();
rollback;
