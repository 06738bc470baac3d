create or replace function signature.label_name(p_name text) returns text
  language plpgsql immutable set search_path = '' as $$
declare
  c_name constant text := btrim(p_name, E' \t\n\r\f\v\u0085\u00a0');
begin
  perform platform.refuse_wrong_arguments(jsonb_build_object('name', case when c_name = '' then 'must not be blank' else signature.wrong_text(c_name, true) end));
  return c_name;
end
$$;
comment on function signature.label_name(text) is 'The name of a label from a request, without the space at its ends. 422 invalid_request for a name that signature.wrong_text finds wrong. Null for null.';
revoke execute on function signature.label_name(text) from public;
