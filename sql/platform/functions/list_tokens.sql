create or replace function platform.list_tokens(p_tenant_id uuid) returns setof platform.tokens
  language plpgsql volatile set search_path = '' as $$
begin
  perform platform.enter_context(p_tenant_id, 'live', null, null);
  return query select token.* from platform.tokens as token where token.tenant_id = p_tenant_id order by token.created_at, token.id;
  perform platform.enter_context(null, null, null, null);
end
$$;
comment on function platform.list_tokens(uuid) is 'The tokens of an organization, of both environments; secrets are not kept anywhere.';
revoke execute on function platform.list_tokens(uuid) from public;
