create or replace function signature.pasted_digest(p_sha256 text) returns text
  language plpgsql immutable strict set search_path = '' as $$
declare
  c_digest constant text := lower(platform.visible_text(p_sha256) collate "C");
begin
  if c_digest !~ '^[0-9a-f]{64}$' then
    perform platform.refuse_wrong_arguments(jsonb_build_object('sha256', 'is not a SHA-256 of 64 hexadecimal digits'));
  end if;
  return c_digest;
end
$$;
comment on function signature.pasted_digest(text) is
  'The digest that somebody pasted, as 64 lowercase hexadecimal digits: neither case nor white space nor invisible characters matter. 422 invalid_request for any other text.';
revoke execute on function signature.pasted_digest(text) from public;
