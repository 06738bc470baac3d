create function gateway.known_credentials(p_credential_hashes bytea[]) returns bytea[]
  language sql stable security definer set search_path = '' as $$
  select array(
    select given.hash from unnest(p_credential_hashes) as given (hash)
    where (platform.find_credential(given.hash)).tenant_id is not null)
$$;
comment on function gateway.known_credentials(bytea[]) is
  'Those of these credentials that are valid. The gateway asks before it refuses a credential because others from its address were wrong. Writes nothing: invented credentials must not fill a table.';
revoke execute on function gateway.known_credentials(bytea[]) from public;
grant execute on function gateway.known_credentials(bytea[]) to selo_app;
