create function api.revoke_dns_key(p_id integer) returns api.dns_keys
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform platform.require_scope('dns_keys:manage');
  perform dns.revoke_key(platform.tenant_id(), p_id);
  return (select revoked from api.dns_keys as revoked where revoked.id = p_id);
end
$$;
comment on function api.revoke_dns_key(integer) is
  E'@param id Id of the key.\nRefuses an API key of DNS from now on, for good. A revoked key may be revoked again.';
revoke execute on function api.revoke_dns_key(integer) from public;
