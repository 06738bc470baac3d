create function gateway.note_limit() returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.allow_anyone();
  return json_build_object('most_notes', platform.setting('most_notes')::integer);
end
$$;
comment on function gateway.note_limit() is 'The GraphQL query noteLimit: {most_notes}.';
revoke execute on function gateway.note_limit() from public;
