-- Devices and pushes.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob', 'cat', 'eve');
select tests.share('ann', 'clip'), tests.share('eve', 'eves');
create function tests.token(number integer) returns text language sql as $$ select lpad(to_hex(number), 64, '0'); $$;
create function tests.devices(who text) returns bigint language sql security definer as $$
  select count(*) from public.device_tokens where user_id = tests.id(who);
$$;

-- Devices.
select tests.as_user('ann');
select lives_ok('select register_device(upper(tests.token(10)))', 'a device');
select lives_ok('select register_device(tests.token(10), $$sandbox$$)', 'again');
select results_eq('select token, environment from device_tokens', $$values (tests.token(10), 'sandbox')$$, 'is one row');
select throws_ok(format('select register_device(%L)', token), '23514', null, 'no token: ' || left(token, 9))
from unnest(array['', 'xyz', repeat('g', 64), repeat('a', 201), repeat('a', 63)]) as token;
select throws_ok('select register_device(tests.token(1), $$x$$)', '23514', null, 'environments are listed');
select throws_ok($$insert into device_tokens (user_id, token, environment) values (tests.id('ann'), tests.token(2), 'sandbox')$$, '42501',
  null, 'only the function registers');
select tests.as_user('bob');
select is_empty('select from device_tokens', 'others don''t see devices');
select is(tests.touched('delete from device_tokens'), 0::bigint, 'or delete them');
select register_device(tests.token(10));
select is(tests.devices('ann'), 0::bigint, 'a device moves to the account that signs in');
select is(tests.touched('delete from device_tokens'), 1::bigint, 'an account removes its device');
select register_device(tests.token(number)) from generate_series(100, 121) as number;
select is(tests.devices('bob'), 20::bigint, 'an account has at most 20 devices');
select tests.as_anon();
select throws_ok(statement, '42501', null, 'not for visitors: ' || statement)
from unnest(array['select from device_tokens', 'select register_device(tests.token(1))', 'select take_pushes()']) as statement;

-- Pushes.
select tests.as_owner();
delete from device_tokens;
insert into device_tokens (user_id, token, environment) values (tests.id('ann'), tests.token(1), 'production'),
  (tests.id('ann'), tests.token(2), 'sandbox'), (tests.id('cat'), tests.token(3), 'production');
select tests.as_user('bob');
select throws_ok('select take_pushes()', '42501', null, 'users don''t take pushes');
select throws_ok('select drop_device(tests.token(1))', '42501', null, 'or drop devices');
select tests.as_owner();
insert into comments (id, highlight_id, author_id, text) values (tests.id('c'), tests.id('clip'), tests.id('bob'), repeat('long ', 50));
select tests.as_service();
select results_eq('select token, environment, kind, actor_name, highlight_id, char_length(comment), unread from take_pushes() order by token',
  $$values (tests.token(1), 'production', 'comment', 'bob', tests.id('clip'), 200, 1),
    (tests.token(2), 'sandbox', 'comment', 'bob', tests.id('clip'), 200, 1)$$, 'a push for each device');
select is(auth.uid(), null, 'the job is itself again');
select is_empty('select take_pushes()', 'once');
select tests.as_owner();
update notifications set pushed_at = null, created_at = now() - interval '61 minutes';
select tests.as_service();
select is_empty('select take_pushes()', 'not after an hour');

-- Notifications without a result don't stop the others.
select tests.as_owner();
delete from notifications;
insert into notifications (user_id, kind, cause, created_at)
select tests.id('bob'), 'like', gen_random_uuid(), now() - interval '1 minute' from generate_series(1, 30);
insert into notifications (user_id, kind, cause, created_at)
select tests.id('ann'), 'like', gen_random_uuid(), now() - interval '2 hours' from generate_series(1, 30);
insert into notifications (user_id, kind, actor_id, cause, read_at) values
  (tests.id('cat'), 'like', tests.id('bob'), tests.id('1'), null);
insert into user_mutes (muter_id, muted_id) values (tests.id('cat'), tests.id('eve'));
insert into notifications (user_id, kind, actor_id, cause) values (tests.id('cat'), 'like', tests.id('eve'), tests.id('2'));
select tests.as_service();
select results_eq('select token, unread from take_pushes(2)', 'values (tests.token(3), 1)',
  'people without devices are skipped, and the badge counts what can be seen');
select tests.as_owner();
delete from user_mutes;
delete from notifications;
insert into comments (highlight_id, author_id, text) values (tests.id('clip'), tests.id('bob'), 'again');
select tests.as_service();
select count(*) from take_pushes();

-- What isn't sent.
select tests.as_owner();
create function tests.pushes(change text, undo text) returns bigint language plpgsql as $$
declare
  number bigint;
begin
  perform tests.as_owner();
  execute change;
  update public.notifications set pushed_at = null, read_at = null, created_at = now();
  perform tests.as_service();
  select count(*) into number from public.take_pushes();
  perform tests.as_owner();
  execute undo;
  return number;
end;
$$;
select is(tests.pushes('select', 'select'), 2::bigint, 'a visible notification is sent');
insert into private.birth_dates values (tests.id('bob'), current_date - 5000);
select is(tests.pushes($$update profiles set privacy_level = 'followers_only' where username = 'bob'$$, 'select'), 2::bigint,
  'a push of a protected account is sent');
update notifications set pushed_at = null, read_at = null, created_at = now();
select tests.as_service();
select is_empty('select from take_pushes() where actor_name is not null', 'without its name');
select tests.as_owner();
delete from private.birth_dates;
update profiles set privacy_level = 'public' where username = 'bob';
select is(tests.pushes(change, undo), 0::bigint, 'not sent: ' || change)
from (values
  ('insert into user_settings (user_id, push_enabled) select id, false from profiles', 'delete from user_settings'),
  ('insert into user_mutes (muter_id, muted_id) values (tests.id($$ann$$), tests.id($$bob$$))', 'delete from user_mutes'),
  ('update profiles set privacy_level = $$private$$ where username = $$bob$$', 'update profiles set privacy_level = $$public$$'))
  as hidden (change, undo);
select tests.as_owner();
insert into comments (highlight_id, author_id, text) values (tests.id('eves'), tests.id('bob'), 'hi @cat');
select is(tests.pushes('delete from notifications where user_id = tests.id($$ann$$)', 'select'), 1::bigint, 'a mention is sent');
select is(tests.pushes('update highlights set privacy_level = $$private$$', 'select'), 0::bigint, 'not of a hidden highlight');
update highlights set privacy_level = 'public';
update notifications set pushed_at = null, created_at = now(), read_at = now();
select tests.as_service();
select is_empty('select take_pushes()', 'not what was read');
select drop_device(upper(tests.token(1)));
select tests.as_owner();
select is(tests.devices('ann'), 1::bigint, 'a device without the app is dropped');
select throws_ok($$insert into device_tokens (user_id, token, environment) values (tests.id('ann'), tests.token(3), 'sandbox')$$, '23505',
  null, 'a token is one device');
select throws_ok($$insert into device_tokens (user_id, token, environment) values (tests.id('nobody'), tests.token(9), 'sandbox')$$,
  '23503', null, 'of an account');
delete from auth.users where id = tests.id('cat');
select is_empty($$select from device_tokens where token = tests.token(3)$$, 'devices are deleted with the account');

select * from finish();
rollback;
