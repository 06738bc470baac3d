create or replace function signature.refuse_wrong_language(p_language text) returns void
  language plpgsql immutable set search_path = '' as $$
begin
  if p_language !~ '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$' then
    perform platform.refuse_wrong_arguments('{"language": "must be a language tag such as pt-BR"}');
  end if;
end
$$;
comment on function signature.refuse_wrong_language(text) is '422 invalid_request for a text that is no language tag.';
revoke execute on function signature.refuse_wrong_language(text) from public;
