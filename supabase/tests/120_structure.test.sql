-- Grants, settings of functions, and the relationships that PostgREST needs. Compared completely, so that missing entries
-- are found.
begin;
\ir support/helpers.psql
select no_plan();

select is_empty($$
  select c.oid::regclass from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('public', 'private') and c.relkind in ('r', 'p') and not c.relrowsecurity$$,
  'every table has row-level security');
select is_empty($$
  select polname from pg_policy where 0 = any(polroles)$$, 'every policy lists its roles');
select is_empty($$
  select c.oid::regclass from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and c.relkind in ('v', 'm', 'S', 'f')$$,
  'the public schema contains only tables and functions');

-- Rights on tables; `table` means all columns.
create function tests.columns(role text, name regclass, privilege text) returns text language sql as $$
  select case when has_table_privilege(role, name, privilege) then '*' else string_agg(attname, ' ' order by attnum) end
  from pg_attribute
  where attrelid = name and attnum > 0 and not attisdropped and has_column_privilege(role, name, attnum, privilege);
$$;
create view tests.rights as
select role, replace(c.oid::regclass::text, 'public.', '') as name,
  coalesce(tests.columns(role, c.oid, 'select'), '-') as reads,
  coalesce(tests.columns(role, c.oid, 'insert'), '-') as inserts,
  coalesce(tests.columns(role, c.oid, 'update'), '-') as updates,
  case when has_table_privilege(role, c.oid, 'delete') then 'yes' else '-' end as deletes,
  has_table_privilege(role, c.oid, 'truncate') or has_any_column_privilege(role, c.oid, 'references')
    or has_table_privilege(role, c.oid, 'trigger') as more
from pg_class c join pg_namespace n on n.oid = c.relnamespace, unnest(array['anon', 'authenticated']) as role
where n.nspname in ('public', 'private') and c.relkind = 'r';

select results_eq(
  $$select name, reads, inserts, updates, deletes from tests.rights
    where role = 'authenticated' and name not like 'private.%' order by name collate "C"$$,
  $$values
    ('account_deletions', '*', 'user_id', '-', 'yes'),
    ('account_flags', '*', '-', '-', '-'),
    ('coaches', '*', 'id family_unit_id school_id first_name last_name role twitter_handle instagram_handle',
      'school_id first_name last_name role twitter_handle instagram_handle archived_at', '-'),
    ('comment_likes', '*', 'user_id comment_id', '-', 'yes'),
    ('comment_reactions', '*', 'user_id comment_id emoji', '-', 'yes'),
    ('comments', '*', 'id highlight_id author_id text', '-', 'yes'),
    ('content_reports', '*', 'id reporter_id reported_type reported_id reported_user_id report_type description', '-', '-'),
    ('device_tokens', '*', '-', '-', 'yes'),
    ('dismissed_posts', '*', '-', '-', '-'),
    ('family_invites', '*', '-', '-', 'yes'),
    ('family_members', '*', '-', '-', 'yes'),
    ('family_units', '*', '-', 'name', '-'),
    ('follow_requests', '*', 'requester_id target_id', '-', 'yes'),
    ('follows', '*', 'follower_id following_id', '-', 'yes'),
    ('highlight_shares', '*', '-', '-', '-'),
    ('highlight_stats', '*', '-', '-', '-'),
    ('highlights', '*', 'id author_id mux_playback_id thumbnail_url caption tags duration confidence quality '
      'detection_count privacy_level hide_likes video_urls local_video_id local_rally_index rally_metadata '
      'location_name latitude longitude allow_downloads',
      'caption tags privacy_level hide_likes location_name latitude longitude allow_downloads', 'yes'),
    ('interactions', '*', 'id family_unit_id logged_by type direction school_id coach_id subject content sentiment occurred_at '
      'attachments', 'type direction school_id coach_id subject content sentiment occurred_at attachments', 'yes'),
    ('likes', '*', 'user_id highlight_id', '-', 'yes'),
    ('mentions', '*', '-', '-', '-'),
    ('moderators', '*', '-', '-', '-'),
    ('notifications', '*', '-', '-', '-'),
    ('poll_options', '*', 'poll_id text sort_order', '-', '-'),
    ('poll_votes', '*', 'poll_id option_id user_id', 'poll_id option_id user_id', 'yes'),
    ('polls', '*', 'highlight_id question', '-', 'yes'),
    ('post_notices', '*', '-', 'read_at', 'yes'),
    ('profiles', '*', '-', 'display_name username avatar_url bio team_name privacy_level', '-'),
    ('rate_limits', '*', '-', '-', '-'),
    ('schools', '*', 'id family_unit_id name twitter_handle instagram_handle', 'name twitter_handle instagram_handle archived_at', '-'),
    ('social_media_posts', '*', '-', 'flagged_for_review notes', 'yes'),
    ('uploads', '*', '-', '-', '-'),
    ('user_blocks', '*', 'blocker_id blocked_id reason', '-', 'yes'),
    ('user_mutes', '*', 'muter_id muted_id', '-', 'yes'),
    ('user_settings', '*', 'user_id allow_downloads share_privacy_level push_enabled first_post_confirmed_at', 'user_id allow_downloads share_privacy_level push_enabled first_post_confirmed_at', 'yes')$$,
  'signed-in users have exactly these rights on tables');
select set_eq(
  $$select name from tests.rights where role = 'anon' and reads = '*'$$,
  array['profiles', 'highlights', 'likes', 'comments', 'comment_likes', 'follows', 'polls', 'poll_options',
    'rate_limits', 'comment_reactions', 'mentions'],
  'visitors can read exactly these tables');
select is_empty(
  $$select role, name from tests.rights
    where role = 'anon' and (reads not in ('*', '-') or (inserts, updates, deletes) <> ('-', '-', '-')) or more$$,
  'visitors have no other rights on tables');
select is_empty($$
  select role, c.oid::regclass
  from pg_class c, unnest(array['anon', 'authenticated', 'service_role']) as role
  where c.relnamespace = 'private'::regnamespace and c.relkind = 'r'
    and (has_any_column_privilege(role, c.oid, 'select, insert, update, references')
      or has_table_privilege(role, c.oid, 'delete, truncate, trigger'))$$,
  'only functions can access private tables');
select is_empty($$
  select c.oid::regclass from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    and not has_table_privilege('service_role', c.oid, 'select')$$, 'the service role can read all public tables');

-- Rights on functions.
create view tests.callable as
select role, replace(replace(p.oid::regprocedure::text, 'public.', ''), 'private.', '~') as name
from pg_proc p join pg_namespace n on n.oid = p.pronamespace,
  unnest(array['anon', 'authenticated', 'service_role']) as role
where n.nspname in ('public', 'private') and p.prorettype <> 'trigger'::regtype
  and has_function_privilege(role, p.oid, 'execute');
create function tests.signatures(role text) returns text[] language sql as $$
  select array_agg(split_part(name, '(', 1) order by name collate "C") from tests.callable c where c.role = $1;
$$;
select is(tests.signatures('anon'),
  array['age_rules', 'discover_highlights', 'feed', 'highlights_with_tag', 'is_liked_by_me', 'is_liked_by_me',
    'reactions', 'record_view', 'search_highlights', 'search_people', 'search_tags', 'search_teams',
    '~can_list_profile', '~can_see_highlight', '~can_see_profile', '~character_count', '~fits', '~has_level', '~is_muted',
    '~is_protected_from_me', '~is_rally_metadata', '~is_text_list'],
  'visitors can execute exactly these functions');
select is(tests.signatures('authenticated'),
  array['accept_family_invite', 'accept_follow_request', 'age_rules', 'begin_sync', 'blocked_people',
    'cascade_delete_interaction', 'create_family', 'create_family_invite', 'creator_analytics',
    'creator_analytics_by_day', 'discover_highlights', 'export_account', 'family_people', 'feed', 'find_profile', 'finish_sync',
    'follow_suggestions', 'following_feed', 'for_you', 'highlights_with_tag', 'ingest_posts',
    'interaction_figures', 'is_liked_by_me', 'is_liked_by_me', 'list_attachment', 'mark_notifications_read', 'moderate',
    'moderation_log', 'moderation_queue', 'notification_groups', 'playback_ids', 'post_statistics', 'reactions',
    'record_view', 'register_device', 'restricted_until', 'revoke_highlight_share', 'save_sync_state',
    'search_highlights', 'search_people', 'search_tags', 'search_teams', 'send_highlight', 'set_birth_date',
    'share_allowance', 'social_analytics', 'sync_handles', 'unread_notifications', 'withdraw_report',
    '~can_list_profile', '~can_see_highlight', '~can_see_notification', '~can_see_profile', '~can_write_to_author', '~character_count',
    '~clean_handle', '~clean_post_url', '~fits', '~has_level', '~has_room_for_attachment', '~is_handle', '~is_muted',
    '~is_protected_from_me', '~is_rally_metadata', '~is_text_list', '~is_time', '~may_store_avatar', '~may_use_attachment', '~my_families', '~person_words', '~post_key', '~search_words'],
  'signed-in users can execute exactly these functions');
select is(tests.signatures('service_role'),
  array['age_rules', 'aggregate_views', 'apply_mux_event', 'cancel_upload', 'close_videos', 'create_trim', 'create_upload',
    'delete_expired_accounts', 'discover_highlights', 'drop_device', 'feed', 'fold_counters',
    'forget_mux_leftover', 'forget_old_notifications', 'highlights_with_tag', 'is_liked_by_me', 'is_liked_by_me',
    'leftover_files', 'mux_leftovers', 'open_highlight_share', 'playback_changes', 'reactions',
    'record_mux_upload', 'record_playback', 'record_trim', 'refresh_labels', 'request_account_deletion', 'search_highlights',
    'search_people', 'search_tags', 'search_teams', 'show_playable_highlights', 'take_pushes', 'time_out_uploads',
    'trim_state', 'trims_to_check', 'upload_state', 'uploads_to_check', '~can_list_profile', '~can_see_highlight', '~can_see_profile', '~character_count',
    '~clean_handle', '~clean_post_url', '~fits', '~has_level', '~is_handle', '~is_muted', '~is_protected_from_me',
    '~is_rally_metadata', '~is_text_list', '~is_time', '~person_words', '~post_key', '~search_words'],
  'the Edge Functions can execute exactly these functions');

-- Settings of functions.
select is_empty($$
  select p.oid::regprocedure
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_language l on l.oid = p.prolang
  where n.nspname in ('public', 'private') and (p.prosecdef or l.lanname = 'plpgsql')
    and not coalesce(p.proconfig, '{}') @> array['search_path=""']$$,
  'all functions in PL/pgSQL or with the owner''s rights have a fixed search path');
select set_eq($$
  select p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname in ('public', 'private') and not p.prosecdef$$,
  array['character_count', 'fits', 'is_text_list', 'is_rally_metadata', 'complete_rally_facts', 'join_writers',
    'stop_writers', 'add_votes', 'may_store_avatar', 'may_use_attachment',
    'has_room_for_attachment', 'feed', 'is_liked_by_me', 'score_of', 'score_of_time', 'search_words',
    'beginning_with', 'set_updated_at', 'words_of', 'person_words', 'mentioned_names', 'notification_groups', 'reactions',
    'unread_notifications', 'refuse_changes', 'creator_analytics', 'creator_analytics_by_day',
    'clean_handle', 'clean_handles', 'is_handle', 'is_time', 'clean_post_url', 'post_key', 'time_of', 'post_problem', 'new_invite_code',
    'hash_invite_code', 'hash_token', 'list_attachment', 'post_statistics', 'social_analytics', 'interaction_figures'],
  'only these functions run with the caller''s rights');

-- PostgREST: embeddings like `author:profiles(*)` must be unambiguous.
select is_empty($$
  select conrelid::regclass from pg_constraint key
  where contype = 'p' and connamespace = 'public'::regnamespace and 2 <= (
    select count(*) from pg_constraint foreign_key
    where foreign_key.contype = 'f' and foreign_key.conrelid = key.conrelid and foreign_key.conkey <@ key.conkey)$$,
  'no primary key creates a many-to-many relation');
select is((
    select count(*) from pg_constraint
    where contype = 'f' and conrelid = name::regclass and confrelid = target::regclass), 1::bigint,
  format('%s have one foreign key to %s', name, target))
from (values
  ('highlights', 'profiles'), ('comments', 'profiles'), ('comments', 'highlights'), ('likes', 'profiles'),
  ('likes', 'highlights'), ('polls', 'highlights'), ('poll_options', 'polls'), ('poll_votes', 'poll_options'),
  ('uploads', 'profiles')) as relation (name, target);
select col_is_unique('public', 'polls', 'highlight_id', 'a highlight embeds its poll as one object');

-- Every foreign key needs an index, because cascades would otherwise read whole tables.
select is_empty($$
  select conrelid::regclass, conname from pg_constraint
  where contype = 'f' and connamespace in ('public'::regnamespace, 'private'::regnamespace) and not exists (
    select from pg_index where indrelid = conrelid
      and (string_to_array(indkey::text, ' ')::int2[])[1:cardinality(conkey)] @> conkey)$$,
  'every foreign key has an index');

select * from finish();
rollback;
