--! owner selo_system
-- Looks across tenants: tokens of all organizations are compared with their events.
create or replace function platform.audit_check_tokens(p_tenant_id uuid) returns setof platform.audit_fault
  language sql stable security definer
  -- The tables themselves are read: an index may have been kept from seeing a row.
  set search_path = '' set enable_indexscan = off set enable_indexonlyscan = off set enable_bitmapscan = off as $$
  with credential as (
    select known.tenant_id, known.token_id, array_agg(encode(known.digest, 'hex') order by known.digest) as digests
    from platform.token_hashes as known where p_tenant_id is null or known.tenant_id = p_tenant_id
    group by known.tenant_id, known.token_id
  ), there as (
    select token.tenant_id, token.environment, token.id, coalesce(cardinality(credential.digests), 0) as credentials,
      platform.record_digest(token.record_salt, platform.token_record(token, coalesce(credential.digests, '{}'))) as record_sha256
    from platform.tokens as token
    left join credential on credential.tenant_id = token.tenant_id and credential.token_id = token.id
    where p_tenant_id is null or token.tenant_id = p_tenant_id
  )
  select 'tokens', coalesce(there.tenant_id, recorded.tenant_id), coalesce(there.environment, recorded.environment), 'token',
    coalesce(there.id, recorded.subject_id), coalesce(recorded.seq, 1), recorded.event_id, case
      when recorded.subject_id is null then 'truncated: the token is there, its chain is not'
      when there.id is null then 'the token that was created is gone'
      else 'the token is not what was recorded' end
  from there
  full join platform.audit_records(p_tenant_id, 'token') as recorded
    on recorded.tenant_id = there.tenant_id and recorded.environment = there.environment and recorded.subject_id = there.id
  where (there.record_sha256 = recorded.record_sha256) is not true
  union all
  select 'credentials', there.tenant_id, there.environment, 'token', there.id, 1, null,
    case there.credentials when 0 then 'no credential opens the token' else there.credentials || ' credentials open the token' end
  from there where there.credentials <> 1
  union all
  select 'credentials', credential.tenant_id, null, 'token', credential.token_id, 1, null, 'a credential opens a token that is not there'
  from credential
  where not exists (select from there where there.tenant_id = credential.tenant_id and there.id = credential.token_id)
$$;
comment on function platform.audit_check_tokens(uuid) is
  'Tokens that are not as they were recorded, that have no record or are gone, and tokens that more or less than one credential opens.';
revoke execute on function platform.audit_check_tokens(uuid) from public;
grant execute on function platform.audit_check_tokens(uuid) to selo_owner;
