-- Counters that another transaction kept from being written. `support/crowd.psql` has the concurrent transactions.
begin;
\ir support/helpers.psql
select no_plan();
select tests.sign_up('ann', 'bob', 'cat');
select tests.share('ann', 'clip'), tests.share('ann', 'other');
create function tests.counts(what text) returns text language sql security definer as $$
  select likes_count || '/' || comments_count from public.highlights where id = tests.id(what);
$$;

-- As if these had not got the row.
insert into private.count_changes values (tests.id('clip'), 3, 1), (tests.id('clip'), -1, 1), (tests.id('other'), 1, 0);
select tests.as_user('bob');
select is(tests.counts('clip'), '0/0', 'a pending change is not counted');
insert into likes (user_id, highlight_id) values (tests.id('bob'), tests.id('clip'));
select is(tests.counts('clip'), '3/2', 'the next like adds the pending changes');
delete from likes;
select is(tests.counts('clip'), '2/2', 'pending changes are added only once');
insert into comments (author_id, highlight_id, text) values (tests.id('bob'), tests.id('clip'), 'x');
select is(tests.counts('clip'), '2/3', 'a comment is counted');
select is(tests.counts('other'), '0/0', 'a change of one highlight does not add the pending changes of another');
select throws_ok('select fold_counters()', '42501', null, 'a user cannot call fold_counters');
select tests.as_service();
select is(fold_counters(), 1, 'fold_counters returns the count of highlights with pending changes');
select is(tests.counts('other'), '1/0', 'fold_counters adds the pending changes');
select is(fold_counters(), 0, 'fold_counters adds each change only once');

-- Several highlights in one statement.
select tests.as_owner();
insert into likes (user_id, highlight_id) select id, highlight from profiles, unnest(array[tests.id('clip'), tests.id('other')])
  as highlight where username in ('bob', 'cat');
select is(tests.counts('clip') || ' ' || tests.counts('other'), '4/3 3/0',
  'a statement for several highlights updates each counter');
insert into private.count_changes values (tests.id('clip'), 1, 0);
delete from highlights;
select is_empty('select from private.count_changes', 'deleting a highlight deletes its pending changes');
insert into private.count_changes values (tests.id('clip'), 1, 0);
grant usage on schema private to authenticated;
grant select on private.count_changes to authenticated;
select tests.as_user('bob');
select is_empty('select from private.count_changes', 'row-level security hides the pending changes');

select * from finish();
rollback;
