create function gateway.revoke_dns_key(p_id text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  c_id constant integer := case when p_id ~ '^[0-9]{1,9}$' then p_id::integer end;
begin
  perform platform.require_scope('dns_keys:manage');
  perform dns.revoke_key(platform.tenant_id(), c_id);
  return (select gateway.dns_keys_json(revoked) from api.dns_keys as revoked where revoked.id = c_id);
end
$$;
comment on function gateway.revoke_dns_key(text) is
  E'@param id {..20, else empty} Id of the key.\nRefuses an API key of DNS from now on, for good. A revoked key may be revoked again. 404 not_found for a key of another organization.';
revoke execute on function gateway.revoke_dns_key(text) from public;
