create or replace function signature.require_search(p_search text) returns void
  language plpgsql immutable set search_path = '' as $$
begin
  if char_length(p_search) > 255 then
    perform platform.fail(422, 'invalid_request', 'The search is too long.',
      '[{"field": "search", "message": "must have at most 255 characters"}]');
  end if;
end
$$;
comment on function signature.require_search(text) is 'A search among proofs: at most 255 characters, otherwise 422 invalid_request.';
revoke execute on function signature.require_search(text) from public;
