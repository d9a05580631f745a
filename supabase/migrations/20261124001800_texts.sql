-- Both backends report the same reason.
do $$
begin
  execute replace(
    pg_get_functiondef('public.time_out_uploads()'::regprocedure), 'the other clips of the post did not come',
    'the other clips of the post were not uploaded');
end;
$$;
