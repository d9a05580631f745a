-- The tables that Realtime sends. Each has policies for reading, and a primary key that says nothing.
begin;
\ir support/helpers.psql
select no_plan();
select set_eq(
  $$select schemaname || '.' || tablename from pg_publication_tables where pubname = 'supabase_realtime'$$,
  array['public.comments', 'public.likes', 'public.comment_reactions', 'public.notifications'], 'the published tables');
select is((select puballtables from pg_publication where pubname = 'supabase_realtime'), false, 'and no others');
select is_empty($$
  select tablename from pg_publication_tables t join pg_class c on c.relname = t.tablename and c.relnamespace = 'public'::regnamespace
  where pubname = 'supabase_realtime' and (not c.relrowsecurity or c.relreplident <> 'd'
    or not exists (select from pg_policies p where p.tablename = t.tablename and p.cmd = 'SELECT'))$$,
  'have row-level security, and send only the ID of a deleted row');

-- Realtime sends a row to the subscribers whose role and claims select it by its primary key.
create function tests.receivers(relation text, row_id uuid) returns text language plpgsql as $$
declare
  person text;
  is_visible boolean;
  receivers text[] := '{}';
begin
  foreach person in array array['ann', 'bob', 'cat', 'eve', 'anon'] loop
    if person = 'anon' then perform tests.as_anon(); else perform tests.as_user(person); end if;
    begin
      execute format('select exists (select from public.%I where id = $1)', relation) into is_visible using row_id;
    exception when insufficient_privilege then
      is_visible := false;
    end;
    if is_visible then receivers := receivers || person; end if;
  end loop;
  perform tests.as_owner();
  return array_to_string(receivers, ' ');
end;
$$;
create function tests.receivers_of_highlight(highlight text, relation text) returns text language plpgsql as $$
declare
  row_id uuid;
begin
  execute format('select id from public.%I where %s', relation, case relation
    when 'comment_reactions' then 'comment_id in (select id from public.comments where highlight_id = $1)'
    else 'highlight_id = $1' end) into strict row_id using tests.id(highlight);
  return tests.receivers(relation, row_id);
end;
$$;
-- bob follows ann, ann has blocked cat, and bob acts on a highlight of each level.
select tests.sign_up('ann', 'bob', 'cat', 'eve');
select tests.share('ann', 'open'), tests.share('ann', 'closed', 'followers_only'), tests.share('ann', 'unliked');
update highlights set hide_likes = true where id = tests.id('unliked');
insert into follows (follower_id, following_id) values (tests.id('bob'), tests.id('ann'));
insert into user_blocks (blocker_id, blocked_id) values (tests.id('ann'), tests.id('cat'));
select tests.as_user('bob');
insert into likes (user_id, highlight_id) select tests.id('bob'), tests.id(name) from unnest(array['open', 'closed', 'unliked']) name;
insert into comments (author_id, highlight_id, text) values
  (tests.id('bob'), tests.id('open'), 'x'), (tests.id('bob'), tests.id('closed'), 'x');
insert into comment_reactions (user_id, comment_id, emoji) select tests.id('bob'), id, '🔥' from comments;
select tests.as_owner();
select is(tests.receivers_of_highlight('open', relation), 'ann bob eve anon', relation || ' of a public highlight')
from unnest(array['likes', 'comments', 'comment_reactions']) relation;
select is(tests.receivers_of_highlight('closed', relation), 'ann bob', relation || ' of a highlight for followers')
from unnest(array['likes', 'comments', 'comment_reactions']) relation;
select is(tests.receivers_of_highlight('unliked', 'likes'), 'ann bob', 'hidden likes: the author and the account that likes');
select is(tests.receivers('notifications', id), 'ann', 'a notification of a ' || kind)
from notifications where user_id = tests.id('ann');

-- Each change of a row is checked again: visibility can end.
insert into user_blocks (blocker_id, blocked_id) values (tests.id('eve'), tests.id('bob'));
select is(tests.receivers_of_highlight('open', relation), 'ann bob anon', relation || ' of a person whom eve has blocked')
from unnest(array['likes', 'comments', 'comment_reactions']) relation;
update highlights set privacy_level = 'private' where id = tests.id('closed');
select is(tests.receivers_of_highlight('closed', 'comments'), 'ann bob', 'the author of a comment still receives it');

select * from finish();
rollback;
