--! owner selo_system
-- Looks across tenants: one gateway serves all of them and writes for all of them at once.
create function gateway.record_token_use(p_hashes bytea[]) returns void
  language sql volatile security definer set search_path = '' as $$
  update platform.tokens as token
  set last_used_at = clock_timestamp()
  from platform.token_hashes as known
  where known.digest in (select sha256(seen.hash) from unnest(p_hashes) as seen (hash)) and token.tenant_id = known.tenant_id and token.id = known.token_id
$$;
comment on function gateway.record_token_use(bytea[]) is 'Called once a minute with the tokens seen since; no request writes for itself.';
revoke execute on function gateway.record_token_use(bytea[]) from public;
grant execute on function gateway.record_token_use(bytea[]) to selo_app;
