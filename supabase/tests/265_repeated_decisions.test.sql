-- Decisions that are sent again, and decisions about reports that another moderator has closed.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'eve', 'mod', 'max');
insert into moderators (user_id) values (tests.id('mod')), (tests.id('max'));
select tests.share('eve', 'bad'), tests.share('eve', 'worse');
insert into content_reports (reporter_id, reported_type, reported_id, report_type)
values (tests.id('ann'), 'highlight', tests.id('bad'), 'spam');
-- A decision with an ID, as its consequence.
create function tests.decide(id text, action text, what text, kind text default 'highlight', is_pending boolean default false)
returns text language sql as $$
  select (decision ->> 'action') || coalesce(' ' || ((decision ->> 'until')::timestamptz - now())::text, '')
  from public.moderate(action, kind, tests.id(what), 'because', tests.id(id), is_pending) as decision;
$$;

select tests.as_user('mod');
select is(tests.decide('one', 'warn', 'bad', is_pending => true), 'warn', 'the first offense is a warning');
select is(tests.decide('one', 'warn', 'bad', is_pending => true), 'warn', 'also when the decision is sent again');
select results_eq('select id, action from moderation_log()', $$values (tests.id('one'), 'warn')$$, 'the log has it once');
select throws_ok(format('select tests.decide(''one'', %L, %L, %L)', action, what, kind), 'PT409', null,
  format('the ID belongs to another decision: %s %s %s', action, kind, what))
from (values ('dismiss', 'bad', 'highlight'), ('remove', 'bad', 'highlight'), ('restrict', 'bad', 'highlight'),
  ('lift', 'bad', 'highlight'), ('x', 'bad', 'highlight'), ('warn', 'worse', 'highlight'), ('warn', 'bad', 'comment'),
  ('warn', 'eve', 'user_profile')) as decision (action, what, kind);
select throws_ok(
  $$select moderate('warn', 'highlight', tests.id('bad'), 'otherwise', tests.id('one'))$$, 'PT409', null, 'or to another reason');
select tests.as_user('max');
select throws_ok($$select tests.decide('one', 'warn', 'bad')$$, 'PT409', null, 'or to another moderator');
select throws_ok($$select tests.decide('two', 'warn', 'bad', is_pending => true)$$, 'PT409', null, 'another moderator has decided');
select throws_ok($$select tests.decide('two', 'remove', 'none', is_pending => true)$$, 'PT404', null, 'unknown content is still unknown');
select tests.as_user('eve');
select is(restricted_until(), null, 'one warning is no restriction');
select is((select count(*) from notifications where kind = 'moderation'), 1::bigint, 'and one notice');
select throws_ok($$select tests.decide('one', 'warn', 'bad')$$, '42501', null, 'only moderators learn the consequence');

-- A removal has two entries.
select tests.as_user('mod');
select is(tests.decide('two', 'remove', 'worse'), 'restrict 7 days', 'the second offense is a restriction');
select is(tests.decide('two', 'remove', 'worse'), 'restrict 7 days', 'also when the content is gone');
select throws_ok(format('select tests.decide(''two'', %L, ''worse'')', action), 'PT409', null, 'a removal is not: ' || action)
from unnest(array['warn', 'restrict', 'dismiss']) as action;
select throws_ok(
  format('select moderate(''remove'', ''highlight'', tests.id(''worse''), ''because'', %L)',
    (select id from moderation_log() where action = 'remove')), 'PT409', null, 'the ID of the removal''s own entry');
select results_eq('select action from moderation_log()', $$values ('restrict'), ('remove'), ('warn')$$, 'the log has it once');
-- Without an ID, as old clients call it.
select is(moderate('warn', 'highlight', tests.id('bad'), 'because') ->> 'action', 'restrict', 'each call is a decision');
select is((select count(*) from moderation_log()), 4::bigint, 'in the log');

-- Flags.
select tests.as_owner();
insert into account_flags (user_id, reason, observed_count) values (tests.id('eve'), 'shared_rallies', 21);
select tests.as_user('mod');
select is(tests.decide('three', 'dismiss', 'eve', 'user_profile', true), 'dismiss', 'a flag is pending');
select throws_ok($$select tests.decide('four', 'dismiss', 'eve', 'user_profile', true)$$, 'PT409', null, 'until it is reviewed');
select is(tests.decide('four', 'lift', 'eve', 'user_profile'), 'lift', 'a restriction is lifted');
select is(tests.decide('four', 'lift', 'eve', 'user_profile'), 'lift', 'also when this is sent again');
select throws_ok($$select tests.decide('five', 'lift', 'eve', 'user_profile')$$, 'PT409', null, 'but not by another decision');

select * from finish();
rollback;
