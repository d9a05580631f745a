-- Interactions: roles, and the coach's last contact.
begin;
\ir support/helpers.psql
\ir support/recruiting.psql
select no_plan();
select tests.sign_up('ann', 'dan', 'eve', 'pam', 'bob');
select tests.family('home', 'athlete ann', 'athlete dan', 'parent pam'), tests.family('other', 'athlete eve');
select tests.school('home', 'Stanford'), tests.school('other', 'Rice');
select tests.coach('home', 'John', 'Stanford'), tests.coach('home', 'Mia'), tests.coach('other', 'Ruth', 'Rice');

create function tests.log(family text, coach text, at timestamptz) returns uuid language plpgsql as $$
declare
  result uuid;
begin
  execute format('insert into public.interactions (family_unit_id, type, direction, coach_id, occurred_at, subject)
    values (%L, ''email'', ''outbound'', %L, %L, ''hello'') returning id', tests.id(family), tests.id(coach), at) into result;
  return result;
end;
$$;
grant execute on function tests.log(text, text, timestamptz) to authenticated, anon;

-- Who logs.
select tests.as_user('ann');
select lives_ok($$select tests.log('home', 'John', '2026-01-05')$$, 'athletes log');
select is((select logged_by from interactions), tests.id('ann'), 'as themselves');
select tests.as_user('pam');
select is(tests.error($$select tests.log('home', 'John', now())$$), '42501', 'parents don''t log');
select tests.as_user('eve');
select is(tests.error($$select tests.log('home', 'John', now())$$), '42501', 'strangers don''t log');
select tests.as_user('dan');
select is(tests.error($$insert into interactions (family_unit_id, logged_by, type, direction) values (tests.id('home'), tests.id('ann'), 'email', 'inbound')$$),
  '42501', 'an account can''t log for others');
select lives_ok($$select tests.log('home', 'Mia', null)$$, 'a second athlete logs');
select tests.as_anon();
select is(tests.error('select from interactions'), '42501', 'visitors see nothing');
select is(tests.error('select cascade_delete_interaction(tests.id(''x''), true)'), '42501', 'and delete nothing');

-- Who reads.
create function pg_temp.seen(who text) returns bigint language plpgsql as $$
begin
  perform tests.as_user(who);
  return (select count(*) from interactions);
end;
$$;
select tests.as_owner();
select is(pg_temp.seen(who), number, format('%s sees %s', who, number))
from (values ('ann', 1::bigint), ('dan', 1), ('pam', 2), ('eve', 0), ('bob', 0)) as list (who, number);
select tests.as_user('dan');
select is((select display_at from interactions), (select created_at from interactions), 'without a date, the entry''s date is shown');
select tests.as_user('ann');
select is((select display_at from interactions), '2026-01-05'::timestamptz, 'otherwise the date of the contact');

-- Who changes and deletes.
create function pg_temp.touched(who text, statement text) returns bigint language plpgsql as $$
begin
  perform tests.as_user(who);
  return tests.touched(statement);
end;
$$;
select tests.as_owner();
select is(pg_temp.touched(who, statement), number, format('%s: %s', who, statement))
from (values
  ('pam', $$update interactions set subject = 'x'$$, 0::bigint), ('pam', 'delete from interactions', 0), ('eve', $$update interactions set subject = 'x'$$, 0),
  ('eve', 'delete from interactions', 0), ('dan', $$update interactions set subject = 'x' where logged_by = tests.id('ann')$$, 0),
  ('dan', $$delete from interactions where logged_by = tests.id('ann')$$, 0), ('ann', $$update interactions set subject = 'changed'$$, 1)) as list (who, statement, number);
select tests.as_user('ann');
select is(tests.error(statement), '42501', 'not granted: ' || statement)
from unnest(array['update interactions set logged_by = tests.id(''dan'')', 'update interactions set family_unit_id = tests.id(''other'')',
  'update interactions set created_at = now()']) as statement;

-- The last contact.
create function pg_temp.contact(coach text) returns text language sql as $$
  select coalesce(last_contact_date::date::text, 'none') from coaches where id = tests.id(coach);
$$;
select is(pg_temp.contact('John'), '2026-01-05', 'an interaction sets the last contact');
select id as newer from tests.log('home', 'John', '2026-02-01') as id \gset
select is(pg_temp.contact('John'), '2026-02-01', 'a newer one moves it');
select tests.log('home', 'John', '2026-01-20');
select is(pg_temp.contact('John'), '2026-02-01', 'an older one doesn''t');
select tests.log('home', 'John', now() + interval '5 days');
select is(pg_temp.contact('John'), '2026-02-01', 'a planned one doesn''t');
update interactions set occurred_at = '2026-01-10' where id = :'newer';
select is(pg_temp.contact('John'), '2026-01-20', 'a changed date counts');
update interactions set occurred_at = '2026-03-03', coach_id = tests.id('Mia') where id = :'newer';
select is(pg_temp.contact('John'), '2026-01-20', 'the earlier coach');
select isnt(pg_temp.contact('Mia'), '2026-03-03', 'another member''s newer interaction stays');
update interactions set coach_id = tests.id('John') where id = :'newer';
select is(pg_temp.contact('John'), '2026-03-03', 'the new coach');
select is(tests.touched(format('delete from interactions where id = %L', :'newer')), 1::bigint, 'who logged it deletes it');
select is(pg_temp.contact('John'), '2026-01-20', 'a deletion counts');
delete from interactions;
select is(pg_temp.contact('John'), 'none', 'without interactions there is no contact');
select tests.log('home', 'John', clock_timestamp());
select isnt(pg_temp.contact('John'), 'none', 'what came after the start of the transaction has taken place');
delete from interactions;

-- Confirmed deletion.
select id as entry from tests.log('home', 'John', '2026-02-01') as id \gset
select is(tests.error(format('select cascade_delete_interaction(%L, %s)', :'entry', confirmed)), 'PT400', 'not confirmed')
from unnest(array['false', 'null']) as confirmed;
select tests.as_user('pam');
select is(tests.error(format('select cascade_delete_interaction(%L, true)', :'entry')), 'PT404', 'not by a parent');
select tests.as_user('ann');
select is(cascade_delete_interaction(:'entry', true),
  '{"success": true, "deleted": {"interactions": 1}, "message": "Interaction deleted"}', 'the answer of the specification');
select is(tests.error(format('select cascade_delete_interaction(%L, true)', :'entry')), 'PT404', 'once');

-- A member who is removed while working.
select id as entry from tests.log('home', 'John', '2026-02-01') as id \gset
select tests.as_owner();
delete from family_members where user_id = tests.id('ann');
select tests.as_user('ann');
select is_empty('select from interactions', 'sees nothing');
select is(tests.touched($$update interactions set subject = 'x'$$), 0::bigint, 'changes nothing');
select is(tests.touched('delete from interactions'), 0::bigint, 'deletes nothing');
select is(tests.error(format('select cascade_delete_interaction(%L, true)', :'entry')), 'PT404', 'also not so');
select is(tests.error($$select tests.log('home', 'John', now())$$), '42501', 'and logs nothing');
select tests.as_user('pam');
select is((select count(*) from interactions), 2::bigint, 'the family keeps the interactions');

-- Constraints.
select tests.as_owner();
select is(tests.error(format('update interactions set %s', change)), state, change)
from (values ('type = ''letter''', '23514'), ('direction = ''up''', '23514'), ('sentiment = ''x''', '23514'), ('subject = repeat(''x'', 301)', '23514'),
  ('content = repeat(''x'', 10001)', '23514'), ('occurred_at = ''infinity''', '23514'), ('occurred_at = ''10000-01-01 00:00+00''', '23514'),
  ('occurred_at = ''0001-12-31 BC''', '23514'), ('attachments = array['''']', '23514'),
  ('attachments = array_fill(''x''::text, array[21])', '23514'), ('school_id = tests.id(''Rice'')', '23503'), ('coach_id = tests.id(''Ruth'')', '23503'),
  ('family_unit_id = tests.id(''none''), coach_id = null', '23503'), ('logged_by = tests.id(''none'')', '23503')) as rule (change, state);
select is(tests.error($$insert into interactions (id, family_unit_id, logged_by, type, direction) select tests.id('i'), tests.id('home'), tests.id('dan'), 'text', 'inbound' from generate_series(1, 2)$$),
  '23505', 'IDs are unique');
update interactions set updated_at = '2020-01-01';
select is_empty('select from interactions where updated_at < now()', 'changes are dated');

-- Deletion.
update interactions set school_id = tests.id('Stanford'), coach_id = tests.id('John');
delete from schools where id = tests.id('Stanford');
delete from coaches where id = tests.id('John');
select is((select count(*) from interactions where school_id is null and coach_id is null), 2::bigint, 'an interaction stays without school and coach');
delete from auth.users where id = tests.id('ann');
select is((select count(*) from interactions), 1::bigint, 'a deleted account takes its interactions along');
delete from family_units where id = tests.id('home');
select is_empty('select from interactions', 'a family is deleted with its interactions');

select * from finish();
rollback;
