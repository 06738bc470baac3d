create or replace function signature.made_of_completion(p_made jsonb, p_arguments jsonb) returns jsonb
  language plpgsql immutable set search_path = '' as $$
begin
  -- A worker of the previous release says nothing of time stamps.
  if not p_arguments ? 'timestamp' then
    return p_made;
  elsif (p_arguments ->> 'timestamp' in ('none', 'valid')) is not true then
    raise exception 'the worker says of time stamps neither none nor valid';
  end if;
  return p_made || jsonb_build_object('timestamp', p_arguments -> 'timestamp');
end
$$;
comment on function signature.made_of_completion(jsonb, jsonb) is
  'What is random or a time in the evidence of a completion (the first argument), together with what the worker says of the time stamps of the sealed PDFs {timestamp}: valid where each has one that the worker checked, otherwise none.';
revoke execute on function signature.made_of_completion(jsonb, jsonb) from public;
