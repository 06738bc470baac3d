create function api.revoke_api_token(p_id uuid) returns api.api_tokens
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform platform.require_scope('tokens:manage');
  perform platform.revoke_token(platform.tenant_id(), p_id);
  return (select revoked from api.api_tokens as revoked where revoked.id = p_id);
end
$$;
comment on function api.revoke_api_token(uuid) is
  E'@param id Id of the token.\nRefuses an API token of either environment from now on, for good. A revoked token may be revoked again.';
revoke execute on function api.revoke_api_token(uuid) from public;
