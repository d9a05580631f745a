-- The owner of a sync, the order of handles, and the position inside their pages.
begin;
\ir support/helpers.psql
\ir support/recruiting.psql
select no_plan();
select tests.sign_up('ann', 'eve', 'pam');
select tests.family('home', 'athlete ann', 'parent pam'), tests.family('other', 'parent eve');
select tests.coach('home', 'A', null, 'a'), tests.coach('home', 'B', null, 'b'), tests.coach('home', 'C', null, 'c');
create function pg_temp.wait(begin_by text) returns text language plpgsql as $$
declare
  wait text;
begin
  perform begin_sync(tests.id('home'), tests.id(begin_by));
  return 'ok';
exception when sqlstate 'PT429' then
  get stacked diagnostics wait = pg_exception_hint;
  return wait;
end;
$$;
create function pg_temp.hint(statement text) returns text language plpgsql as $$
declare
  hint text;
begin
  execute statement;
  return 'ok';
exception when others then
  get stacked diagnostics hint = pg_exception_hint;
  return sqlstate || ' ' || hint;
end;
$$;
create function pg_temp.age(started interval, renewed interval, is_finished boolean) returns void language sql security definer as $$
  update private.social_syncs set started_at = clock_timestamp() - started, renewed_at = clock_timestamp() - renewed,
    finished_at = case when is_finished then clock_timestamp() end where family_unit_id = tests.id('home');
$$;

-- One owner at a time.
select tests.as_user('ann');
select is(pg_temp.wait('one'), 'ok', 'a sync starts');
select is(pg_temp.wait('one'), 'ok', 'again, because the response was lost');
select is(pg_temp.wait('two'), '600', 'not for another owner');
select is(tests.error($$select begin_sync(tests.id('home'))$$), 'PT429', 'nor without an owner');
select is(tests.error($$select finish_sync(tests.id('home'), tests.id('two'))$$), 'ok', 'another owner');
select is(tests.error($$select finish_sync(tests.id('home'))$$), 'ok', 'and an earlier version');
select finish_sync(tests.id('home'), tests.id('two')), finish_sync(tests.id('home'));
select is(pg_temp.wait('two'), '600', 'cannot end it');
select is(pg_temp.hint(statement), 'PT409 sync_lost', 'another owner stores nothing: ' || statement)
from unnest(array['select ingest_posts(tests.id($$home$$), jsonb_build_array(tests.post(1)), tests.id($$two$$))',
  'select save_sync_state(tests.id($$home$$), $$twitter$$, $$a$$, owner => tests.id($$two$$))']) as statement;
select is_empty('select from social_media_posts', 'no post');
select is((select last_synced_at from sync_handles(tests.id('home')) where handle = 'a'), null, 'and no state');

-- Each batch renews the lock.
select pg_temp.age('15 min', '9 min', false);
select is(pg_temp.wait('two'), '60', 'a sync of more than ten minutes');
select is(ingest_posts(tests.id('home'), jsonb_build_array(tests.post(1)), tests.id('one')) ->> 'added', '1', 'stores posts');
select is(pg_temp.wait('two'), '600', 'and keeps the lock');
select pg_temp.age('15 min', '9 min', false);
select lives_ok($$select save_sync_state(tests.id('home'), 'twitter', 'a', owner => tests.id('one'))$$, 'the state of a handle');
select is(pg_temp.wait('two'), '600', 'keeps it, too');
select pg_temp.age('15 min', '10 min 1 sec', false);
select is(ingest_posts(tests.id('home'), jsonb_build_array(tests.post(2)), tests.id('one')) ->> 'added', '1', 'a slow sync continues if no other one started');
select pg_temp.age('15 min', '10 min 1 sec', false);
select is(pg_temp.wait('two'), 'ok', 'a killed sync loses the lock');
select is(pg_temp.hint('select ingest_posts(tests.id($$home$$), ''[]'', tests.id($$one$$))'), 'PT409 sync_lost', 'which it notices');
select finish_sync(tests.id('home'), tests.id('one'));
select lives_ok($$select ingest_posts(tests.id('home'), '[]', tests.id('two'))$$, 'its end does not end the other one');
select is(ingest_posts(tests.id('home'), jsonb_build_array(tests.post(3))) ->> 'added', '1', 'imports need no sync');
select finish_sync(tests.id('home'), tests.id('two'));
select is(pg_temp.hint('select ingest_posts(tests.id($$home$$), ''[]'', tests.id($$two$$))'), 'PT409 sync_lost', 'nothing after the end');
select is(pg_temp.wait('two'), '300', 'and no second sync with the same owner');
select pg_temp.age('5 min 1 sec', '0', true);
select is(pg_temp.wait('three'), 'ok', 'the pause begins with the sync');
select is(tests.error(statement), '42501', 'own families only: ' || statement)
from unnest(array['select begin_sync(tests.id($$other$$), tests.id($$one$$))', 'select finish_sync(tests.id($$other$$), tests.id($$one$$))',
  'select ingest_posts(tests.id($$other$$), ''[]'', tests.id($$one$$))', 'select private.renew_sync(tests.id($$home$$), tests.id($$three$$))',
  'select private.add_posts(tests.id($$home$$), ''[]'')']) as statement;

-- The handle that was not read for the longest time is first.
create function pg_temp.handles() returns text language sql as $$
  select string_agg(handle, ' ') from sync_handles(tests.id('home'));
$$;
select is(pg_temp.handles(), 'b c a', 'handles that were never read are first');
select save_sync_state(tests.id('home'), 'twitter', 'c', external_id => '3', since_id => '5', page_position => '40', newest_id => '90');
select save_sync_state(tests.id('home'), 'twitter', 'b', error => 'rate-limited', was_read => false);
select is(pg_temp.handles(), 'b a c', 'a handle that was not reached stays first');
select save_sync_state(tests.id('home'), 'twitter', 'b');
select is(pg_temp.handles(), 'a c b', 'then those that were not read for the longest time');
select results_eq($$select since_id, page_position, newest_id from sync_handles(tests.id('home')) where handle = 'c'$$,
  $$values ('5', '40', '90')$$, 'the position inside the pages');
select save_sync_state(tests.id('home'), 'twitter', 'c', external_id => '4', since_id => '6', error => 'rate-limited', was_read => false);
select results_eq($$select external_id, since_id, page_position, newest_id, last_error from sync_handles(tests.id('home')) where handle = 'c'$$,
  $$values ('3', '5', '40', '90', 'rate-limited')$$, 'stays if the handle is not reached');
select save_sync_state(tests.id('home'), 'twitter', 'c', since_id => '90');
select results_eq($$select since_id, page_position, newest_id from sync_handles(tests.id('home')) where handle = 'c'$$,
  $$values ('90', null::text, null::text)$$, 'and ends with the last page');
select is(tests.error(format('select save_sync_state(tests.id(''home''), ''twitter'', ''c'', page_position => %L, newest_id => %L)', page, newest)), '23514', 'refused')
from (values ('', null), (repeat('1', 501), null), (null, ''), (null, repeat('1', 65))) as bad (page, newest);

select * from finish();
rollback;
