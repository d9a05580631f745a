-- Lists an attachment of an interaction, or no longer. Clients wrote the whole list, so that one of two pictures that were
-- attached at once was missing. This function changes the current list, in which an attachment exists once. The policies of
-- `interactions` apply. PT404 if the account hasn't logged the interaction.
create function public.list_attachment(id uuid, attachment text, is_listed boolean default true) returns void
language plpgsql set search_path = ''
as $$
begin
  update public.interactions i set attachments = case
      when not coalesce(is_listed, false) then array_remove(i.attachments, list_attachment.attachment)
      when list_attachment.attachment = any(i.attachments) then i.attachments
      else array_append(i.attachments, list_attachment.attachment) end
  where i.id = list_attachment.id and i.logged_by = auth.uid();
  if not found then raise sqlstate 'PT404' using message = 'the account has not logged this interaction'; end if;
end;
$$;
revoke all on function public.list_attachment(uuid, text, boolean) from public, anon, authenticated, service_role;
grant execute on function public.list_attachment(uuid, text, boolean) to authenticated;
