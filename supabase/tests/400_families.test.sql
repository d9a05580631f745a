-- Families: who reads, invites, accepts, leaves and removes.
begin;
\ir support/helpers.psql
\ir support/recruiting.psql
select no_plan();
select tests.sign_up('ann', 'bob', 'cat', 'dan', 'eve', 'pam');
select tests.family('home', 'athlete ann', 'athlete dan', 'parent pam'), tests.family('other', 'parent eve');

-- Reading.
select tests.as_user('ann');
select results_eq('select name from family_units', $$values ('home')$$, 'members see their family');
select is((select count(*) from family_members), 3::bigint, 'and its members');
select tests.as_user('bob');
select is_empty('select from family_units', 'strangers don''t see families');
select is_empty('select from family_members', 'or members');
select is_empty($$select * from family_people(tests.id('home'))$$, 'or names');
select is(tests.touched($$update family_units set name = 'x'$$), 0::bigint, 'or change them');
select is(tests.touched('delete from family_members'), 0::bigint, 'or remove members');
select is(tests.error('insert into family_units (name) values ($$x$$)'), '42501', 'families are made by the function only');
select is(tests.error($$insert into family_members (family_unit_id, user_id, role) values (tests.id('home'), tests.id('bob'), 'parent')$$),
  '42501', 'an account can''t add itself');
select tests.as_anon();
select is(tests.error(statement), '42501', 'visitors: ' || statement)
from unnest(array['select from family_units', 'select from family_members', 'select from family_invites',
  'select create_family(''x'')', 'select accept_family_invite(''x'')', 'select family_people(tests.id(''home''))',
  'select create_family_invite(tests.id(''home''), ''parent'')']) as statement;
select tests.as_owner();
update profiles set privacy_level = 'private' where username = 'ann';
select tests.as_user('pam');
select results_eq($$select display_name, role from family_people(tests.id('home'))$$,
  $$values ('ann', 'athlete'), ('dan', 'athlete'), ('pam', 'parent')$$, 'members see names of private profiles');
select is(tests.touched($$update family_units set name = 'new'$$), 1::bigint, 'members rename their family');
select is(tests.error(statement), '42501', 'not granted: ' || statement)
from unnest(array['update family_units set created_at = now()', 'update family_members set role = ''parent''',
  'delete from family_units', 'update family_invites set used_at = null']) as statement;

-- Making a family.
select tests.as_user('bob');
select lives_ok($$select create_family('Bobs', 'athlete')$$, 'anyone makes a family');
select results_eq('select role, user_id from family_members', $$values ('athlete', tests.id('bob'))$$, 'and is its first member');
select is(tests.error($$select create_family(' ')$$), '23514', 'a family has a name');
select is(tests.error($$select create_family(repeat('x', 81))$$), '23514', 'of at most 80 characters');
select is(tests.error($$select create_family('x', 'coach')$$), '23514', 'roles are listed');
select count(create_family('more')) from generate_series(1, 9);
select is(tests.error($$select create_family('x')$$), 'PT409', 'an account has at most 10 families');

-- Who invites.
create function pg_temp.invites(who text, family text, role text) returns text language plpgsql as $$
begin
  perform tests.as_user(who);
  return tests.error(format('select create_family_invite(%L, %L)', tests.id(family), role));
end;
$$;
select tests.as_owner();
select is(pg_temp.invites(who, family, role), result, format('%s invites %s of %s', who, role, family))
from (values ('pam', 'home', 'athlete', 'ok'), ('pam', 'home', 'parent', 'ok'), ('ann', 'home', 'parent', '42501'),
  ('ann', 'home', 'athlete', '42501'), ('eve', 'home', 'athlete', '42501'), ('bob', 'home', 'parent', '42501'),
  ('pam', 'home', 'coach', '23514')) as list (who, family, role, result);
select tests.as_user('bob');
select lives_ok($$select create_family_invite((select id from family_units where name = 'Bobs'), 'parent')$$,
  'an athlete without parents invites one');
select is(tests.error($$select create_family_invite((select id from family_units where name = 'Bobs'), 'athlete')$$), '42501',
  'but not athletes');

-- Codes.
select tests.as_user('pam');
select id as invite, code, expires_at as ends from create_family_invite(tests.id('home'), 'athlete') \gset
select matches(:'code'::text, '^[0-9A-HJKMNP-TV-Z]{12}$', 'a code can be typed');
select is(:'ends'::timestamptz, now() + interval '7 days', 'it expires after a week');
select throws_ok('select from private.family_invite_codes', '42501', null, 'members cannot read codes');
select tests.as_owner();
select is((select code_hash from private.family_invite_codes where invite_id = :'invite'), encode(sha256(:'code'::bytea), 'hex'),
  'the SHA-256 of a code is stored');
grant usage on schema private to authenticated;
grant select on private.family_invite_codes to authenticated;
select tests.as_user('pam');
select is_empty('select from private.family_invite_codes', 'row-level security hides codes');
select tests.as_owner();
revoke select on private.family_invite_codes from authenticated;
select tests.as_user('pam');
select is((select count(distinct code) from generate_series(1, 15) as number,
    create_family_invite(tests.id('home'), 'athlete', make_interval(days => number))), 15::bigint,
  'codes differ');
select is(tests.error(format('select create_family_invite(tests.id(''home''), ''athlete'', %L)', valid)), '23514', 'not valid: ' || valid)
from unnest(array['31 days', '0', '-1 day']) as valid;
select count(id) from generate_series(1, 4) as number, create_family_invite(tests.id('home'), 'athlete', make_interval(days => number));
select is(tests.error($$select create_family_invite(tests.id('home'), 'athlete')$$), 'PT409', 'at most 20 are open');
select tests.as_user('eve');
select is_empty('select from family_invites', 'other families don''t see invitations');
select is(tests.touched('delete from family_invites'), 0::bigint, 'or withdraw them');
select tests.as_user('ann');
select is((select count(*) from family_invites), 20::bigint, 'members see them');
select is(tests.touched('delete from family_invites'), 0::bigint, 'athletes don''t withdraw those of parents');

-- Accepting.
select tests.as_user('cat');
select is(tests.error($$select accept_family_invite('0000-0000-0000')$$), 'PT404', 'an unknown code');
select is(accept_family_invite(regexp_replace(lower(:'code'), '(....)', '\1-', 'g')), tests.id('home'), 'a code works as it is typed');
select is((select role from family_members where user_id = tests.id('cat')), 'athlete', 'with its role');
select tests.as_user('eve');
select is(tests.error(format('select accept_family_invite(%L)', :'code')), 'PT410', 'once');
select tests.as_user('pam');
select is(tests.touched($$delete from family_invites where used_at is null$$), 19::bigint, 'parents withdraw invitations');
select code from create_family_invite(tests.id('home'), 'parent', '1 hour') \gset
select tests.as_user('ann');
select is(tests.error(format('select accept_family_invite(%L)', :'code')), 'PT409', 'members don''t join again');
select tests.as_owner();
update family_invites set expires_at = now() where used_at is null;
select tests.as_user('eve');
select is(tests.error(format('select accept_family_invite(%L)', :'code')), 'PT410', 'an expired code');
select tests.as_owner();
update family_invites set expires_at = now() + interval '1 day' where used_at is null;
delete from family_members where user_id = tests.id('pam');
select tests.as_user('eve');
select is(tests.error(format('select accept_family_invite(%L)', :'code')), 'PT410', 'a code of a member who left');
select tests.as_user('ann');
select is(tests.error($$select create_family_invite(tests.id('home'), 'parent')$$), '42501',
  'an athlete doesn''t show the contacts of others to a parent');
-- Two invitations by a single athlete to parents: only the first one works.
select tests.as_owner();
select tests.family('alone', 'athlete cat');
select tests.as_user('cat');
select code as first from create_family_invite(tests.id('alone'), 'parent') \gset
select code as second from create_family_invite(tests.id('alone'), 'parent') \gset
select tests.as_user('pam');
select is(accept_family_invite(:'first'::text), tests.id('alone'), 'a single athlete invited a parent');
select tests.as_user('eve');
select is(tests.error(format('select accept_family_invite(%L)', :'second')), 'PT410', 'a second one needs the parent');
select tests.as_user('cat');
select is(tests.touched('delete from family_invites where used_at is null'), 1::bigint, 'own invitations can be withdrawn');
select tests.as_owner();
insert into family_members (family_unit_id, user_id, role) values (tests.id('home'), tests.id('pam'), 'parent');
-- Limits.
select tests.as_owner();
select tests.sign_up(variadic array(select 'person' || number from generate_series(1, 20) as number));
insert into family_members (family_unit_id, user_id, role)
select tests.id('home'), tests.id('person' || number), 'athlete' from generate_series(1, 16) as number;
select tests.as_user('pam');
select code from create_family_invite(tests.id('home'), 'athlete') \gset
select tests.as_user('person20');
select is(tests.error(format('select accept_family_invite(%L)', :'code')), 'PT409', 'a family has at most 20 members');
select tests.as_owner();
delete from family_members where user_id = tests.id('person16');
select tests.as_user('bob');
select is(tests.error(format('select accept_family_invite(%L)', :'code')), 'PT409', 'an account can''t join an eleventh family');

-- Leaving and removing.
select tests.as_user('ann');
select is(tests.touched($$delete from family_members where user_id = tests.id('dan')$$), 0::bigint, 'athletes can''t remove members');
select is(tests.touched($$delete from family_members where user_id = tests.id('ann')$$), 1::bigint, 'everyone may leave');
select is_empty('select from family_units', 'who left sees nothing');
select tests.as_user('eve');
select is(tests.touched($$delete from family_members where family_unit_id = tests.id('home')$$), 0::bigint, 'parents of other families can''t remove members');
select tests.as_user('pam');
select is(tests.touched($$delete from family_members where user_id = tests.id('dan')$$), 1::bigint, 'parents remove members');

-- Deletion.
select tests.as_owner();
select is((select count(*) from family_invites where family_unit_id = tests.id('home')), 3::bigint, 'invitations remain');
delete from family_members where family_unit_id = tests.id('home');
select is_empty($$select from family_units where id = tests.id('home')$$, 'a family without members is deleted');
select is_empty($$select from family_invites where family_unit_id = tests.id('home')$$, 'with its invitations');
select tests.family('last', 'athlete ann', 'parent pam');
select tests.as_user('ann');
select is((select count(*) from family_units), 1::bigint, 'other families stay');
select tests.as_owner();
insert into family_invites (id, family_unit_id, role, invited_by, expires_at)
values (tests.id('open'), tests.id('last'), 'parent', tests.id('ann'), now());
insert into private.family_invite_codes (invite_id, code_hash) values (tests.id('open'), repeat('a', 64));
delete from auth.users where id = tests.id('ann');
select is((select count(*) from family_members where family_unit_id = tests.id('last')), 1::bigint, 'a deleted account leaves');
select is_empty($$select from family_invites where family_unit_id = tests.id('last')$$, 'and its invitations end');
select is_empty($$select from private.family_invite_codes where invite_id = tests.id('open')$$, 'with their codes');
delete from auth.users where id = tests.id('pam');
select is_empty($$select from family_units where id = tests.id('last')$$, 'the last deleted account deletes the family');
select tests.family('again', 'parent eve');
delete from family_units where id = tests.id('again');
select is_empty($$select from family_members where family_unit_id = tests.id('again')$$, 'a family is deleted with its members');

-- Constraints.
select tests.family('rules', 'parent eve');
insert into family_invites (id, family_unit_id, role, invited_by, expires_at)
select tests.id(name), tests.id('rules'), 'parent', tests.id('eve'), now() from unnest(array['one', 'two']) as name;
insert into private.family_invite_codes values (tests.id('one'), repeat('b', 64));
select is(tests.error(statement), state, statement)
from (values
  ('insert into family_members (family_unit_id, user_id, role) values (tests.id($$rules$$), tests.id($$eve$$), $$athlete$$)', '23505'),
  ('insert into family_members (family_unit_id, user_id, role) values (tests.id($$rules$$), tests.id($$cat$$), $$coach$$)', '23514'),
  ('insert into family_members (family_unit_id, user_id, role) values (tests.id($$none$$), tests.id($$cat$$), $$parent$$)', '23503'),
  ('insert into family_members (family_unit_id, user_id, role) values (tests.id($$rules$$), tests.id($$none$$), $$parent$$)', '23503'),
  ('insert into family_invites (family_unit_id, role, invited_by, expires_at) values (tests.id($$rules$$), $$coach$$, tests.id($$eve$$), now())', '23514'),
  ('insert into family_invites (family_unit_id, role, invited_by, expires_at) values (tests.id($$none$$), $$parent$$, tests.id($$eve$$), now())', '23503'),
  ('insert into family_invites (family_unit_id, role, invited_by, expires_at) values (tests.id($$rules$$), $$parent$$, tests.id($$none$$), now())', '23503'),
  ('insert into private.family_invite_codes values (tests.id($$two$$), $$x$$)', '23514'),
  ('insert into private.family_invite_codes values (tests.id($$none$$), repeat($$d$$, 64))', '23503'),
  ('insert into private.family_invite_codes values (tests.id($$two$$), repeat($$b$$, 64))', '23505'),
  ('insert into private.family_invite_codes values (tests.id($$one$$), repeat($$c$$, 64))', '23505')
) as rule (statement, state);

select * from finish();
rollback;
