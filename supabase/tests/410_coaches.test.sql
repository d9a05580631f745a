-- Schools and coaches stay in their family; handles have one form; nothing is deleted.
begin;
\ir support/helpers.psql
\ir support/recruiting.psql
select no_plan();
select tests.sign_up('ann', 'eve', 'pam');
select tests.family('home', 'athlete ann', 'parent pam'), tests.family('other', 'parent eve');
select tests.school('home', 'Stanford'), tests.school('other', 'Rice');
select tests.coach('home', 'John', 'Stanford'), tests.coach('other', 'Ruth', 'Rice');

-- Rights.
select tests.as_user('ann');
select results_eq('select name from schools', $$values ('Stanford')$$, 'members see their schools');
select results_eq('select first_name from coaches', $$values ('John')$$, 'and coaches');
select lives_ok($$insert into schools (family_unit_id, name) values (tests.id('home'), 'UCLA')$$, 'athletes add schools');
select lives_ok($$insert into coaches (family_unit_id, school_id, first_name, last_name, role)
  values (tests.id('home'), tests.id('Stanford'), 'Mia', 'Day', 'head_coach')$$, 'and coaches');
select is(tests.error($$insert into schools (family_unit_id, name) values (tests.id('other'), 'x')$$), '42501', 'not in other families');
select is(tests.error($$insert into coaches (family_unit_id, first_name, last_name) values (tests.id('other'), 'x', 'y')$$), '42501',
  'also coaches');
select tests.as_user('pam');
select is(tests.touched($$update schools set name = 'Stanford University' where name = 'Stanford'$$), 1::bigint, 'parents edit schools');
select is(tests.touched($$update coaches set last_name = 'Ray' where first_name = 'John'$$), 1::bigint, 'and coaches');
select is(tests.touched('update schools set archived_at = now()'), 2::bigint, 'members archive');
select is(tests.touched('update coaches set archived_at = now()'), 2::bigint, 'coaches, too');
select is(tests.error(format('update %s set archived_at = %L', kind, time)), '23514', kind || ': ' || time)
from unnest(array['schools', 'coaches']) as kind, unnest(array['infinity', '10000-01-01 00:00+00']) as time;
select is(tests.error(statement), '42501', 'not granted: ' || statement)
from unnest(array['delete from schools', 'delete from coaches', 'update coaches set last_contact_date = now()',
  'update coaches set family_unit_id = tests.id(''other'')', 'update schools set family_unit_id = tests.id(''other'')']) as statement;
select tests.as_user('eve');
select is(tests.touched($$update schools set name = 'x' where name <> 'Rice'$$), 0::bigint, 'strangers edit no schools');
select is(tests.touched($$update coaches set last_name = 'x' where first_name <> 'Ruth'$$), 0::bigint, 'and no coaches');
select tests.as_anon();
select is(tests.error('select from ' || name), '42501', 'visitors see no ' || name) from unnest(array['schools', 'coaches']) as name;

-- Families are separate, also for the owner of the tables.
select tests.as_owner();
select is(tests.error($$insert into coaches (family_unit_id, school_id, first_name, last_name) values (tests.id('home'), tests.id('Rice'), 'x', 'y')$$),
  '23503', 'a coach''s school is in the family');
select is(tests.error($$update coaches set school_id = tests.id('Stanford') where first_name = 'Ruth'$$), '23503', 'also later');

-- Handles.
create function pg_temp.stored(platform text, handle text) returns text language plpgsql as $$
declare
  result text;
begin
  execute format('update coaches set %I = $1 where first_name = ''John'' returning %1$I', platform || '_handle') into result using handle;
  return coalesce(result, 'none');
exception when check_violation then return 'refused';
end;
$$;
select is(pg_temp.stored(platform, handle), result, format('%s: %s', platform, handle))
from (values
  ('twitter', 'coachsmith', 'coachsmith'), ('twitter', '@CoachSmith', 'CoachSmith'), ('twitter', '  @coach_1 ', 'coach_1'),
  ('twitter', 'https://x.com/coach', 'coach'), ('twitter', 'http://www.twitter.com/coach/', 'coach'),
  ('twitter', 'x.com/@coach?lang=en', 'coach'), ('twitter', 'HTTPS://Mobile.Twitter.com/coach/status/1', 'coach'),
  ('twitter', '', 'none'), ('twitter', '  ', 'none'), ('twitter', 'two words', 'refused'), ('twitter', '🏐', 'refused'),
  ('twitter', 'a234567890123456', 'refused'), ('twitter', '@@coach', 'refused'), ('twitter', 'https://x.com/', 'refused'),
  ('twitter', 'https://evil.com/coach', 'refused'), ('twitter', 'https://x.com@evil.com/coach', 'refused'),
  ('twitter', 'https://instagram.com/coach', 'refused'), ('twitter', 'coach.smith', 'refused'),
  ('twitter', 'https://x.com/home', 'refused'), ('twitter', 'Twitter.com/Search?q=coach', 'refused'),
  ('twitter', 'https://x.com/i/web/status/1', 'refused'), ('twitter', 'https://x.com/homer', 'homer'), ('twitter', 'home', 'home'),
  ('instagram', 'https://instagram.com/p/ABC', 'refused'), ('instagram', 'instagram.com/Reel#1', 'refused'),
  ('instagram', 'https://instagram.com/pat/', 'pat'),
  ('instagram', '@coach.smith', 'coach.smith'), ('instagram', 'https://www.instagram.com/coach_smith/?hl=en', 'coach_smith'),
  ('instagram', 'https://twitter.com/coach', 'refused'), ('instagram', '.coach', 'refused'), ('instagram', 'coach.', 'refused'),
  ('instagram', 'co..ach', 'refused'), ('instagram', 'co ach', 'refused'), ('instagram', repeat('a', 31), 'refused'),
  ('instagram', 'evil.com/coach', 'refused')) as list (platform, handle, result);
update schools set twitter_handle = 'https://x.com/Stanford', instagram_handle = '@stanford' where id = tests.id('Stanford');
select results_eq($$select twitter_handle, instagram_handle from schools where id = tests.id('Stanford')$$,
  $$values ('Stanford', 'stanford')$$, 'schools have handles');

-- Constraints.
select is(tests.error(statement), '23514', statement)
from unnest(array['update schools set name = '' ''', 'update schools set name = repeat(''x'', 201)',
  'update schools set twitter_handle = ''a b''', 'update schools set instagram_handle = ''a b''',
  'update coaches set first_name = ''''', 'update coaches set last_name = '' ''', 'update coaches set role = ''''',
  'update coaches set first_name = repeat(''x'', 101)', 'update coaches set last_name = repeat(''x'', 101)',
  'update coaches set role = repeat(''x'', 61)', 'update coaches set instagram_handle = ''a b''']) as statement;
select is(tests.error($$insert into schools (family_unit_id, name) values (tests.id('none'), 'x')$$), '23503', 'a school has a family');
select is(tests.error($$insert into coaches (family_unit_id, first_name, last_name) values (tests.id('none'), 'x', 'y')$$), '23503',
  'a coach, too');
select is(tests.error($$insert into schools (id, family_unit_id, name) values (tests.id('Rice'), tests.id('home'), 'x')$$), '23505', 'IDs are unique');

-- Changes are dated; a school that is really deleted leaves its coaches.
update coaches set updated_at = '2020-01-01'; update schools set updated_at = '2020-01-01';
select is((select count(*) from coaches where updated_at < now()) + (select count(*) from schools where updated_at < now()), 0::bigint,
  'clients and owners can''t set the date of a change');
delete from schools where id = tests.id('Rice');
select is((select school_id from coaches where first_name = 'Ruth'), null, 'a coach stays without the school');
delete from family_units where id = tests.id('home');
select is((select count(*) from schools) + (select count(*) from coaches), 1::bigint, 'a family is deleted with its schools and coaches');

select * from finish();
rollback;
