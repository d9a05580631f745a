-- Emoji reactions on comments, in addition to likes.

create table public.comment_reactions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  comment_id uuid not null references public.comments (id) on delete cascade,
  emoji text not null check (emoji in ('❤️', '🔥', '👏', '😂', '😮', '💪', '🏐')),
  created_at timestamptz not null default now(),
  unique (user_id, comment_id, emoji)
);
create index comment_reactions_comment on public.comment_reactions (comment_id);
alter table public.comment_reactions enable row level security;
revoke all on public.comment_reactions from anon, authenticated;
grant select on public.comment_reactions to anon;
grant select, delete on public.comment_reactions to authenticated;
grant insert (user_id, comment_id, emoji) on public.comment_reactions to authenticated;

create policy comment_reactions_select on public.comment_reactions for select to anon, authenticated
  using (
    user_id = (select auth.uid())
    or private.can_see_profile(user_id) and exists (select from public.comments c where c.id = comment_id));
create policy comment_reactions_insert on public.comment_reactions for insert to authenticated
  with check (user_id = (select auth.uid()) and exists (select from public.comments c where c.id = comment_id));
create policy comment_reactions_delete on public.comment_reactions for delete to authenticated
  using (user_id = (select auth.uid()));

create trigger join_writers before insert or delete on public.comment_reactions
  for each statement execute function private.join_writers();

-- A computed column, `select=*,reactions`: {"🔥": 3}.
create function public.reactions(comment public.comments) returns jsonb
language sql stable
as $$
  select coalesce(jsonb_object_agg(emoji, number), '{}')
  from (select r.emoji, count(*) as number from public.comment_reactions r where r.comment_id = comment.id group by 1) r;
$$;

revoke all on function public.reactions(public.comments) from public, anon, authenticated, service_role;
grant execute on function public.reactions(public.comments) to anon, authenticated, service_role;
