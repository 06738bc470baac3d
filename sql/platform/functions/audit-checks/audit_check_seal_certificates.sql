--! owner selo_system
-- Looks across tenants: a verification compares the certificates with their events, which are in the chain of the platform itself.
create or replace function platform.audit_check_seal_certificates(p_tenant_id uuid) returns setof platform.audit_fault
  language sql stable security definer set search_path = '' as $$
  with event as (
    select kept.id, kept.seq, kept.occurred_at, platform.read_json(kept.details) as said
    from platform.audit_events as kept
    where kept.tenant_id = '00000000-0000-0000-0000-000000000000' and kept.environment = 'live'
      and kept.action in ('seal_certificate.created', 'seal_certificate.rotated')
  ), compared as (
    select coalesce(there.certificate_id, made.said ->> 'certificate_id') as certificate_id, made.id, made.seq, case
        when made.id is null then 'the certificate %s has no event'
        when there.certificate_id is null then 'the certificate %s does not exist any more'
        when there.certificate_id is distinct from platform.platform_key_id('RSA-3072', there.certificate) then 'the certificate %s has a name that does not match it'
        when there.environment is distinct from made.said ->> 'environment' then 'the certificate %s has another environment than its event'
        when platform.instant(there.not_before) is distinct from made.said ->> 'not_before'
          or platform.instant(there.not_after) is distinct from made.said ->> 'not_after' then 'the certificate %s has other times than its event'
        when there.status is distinct from case when retired.id is null then 'active' else 'retired' end then 'the certificate %s has another status than its events'
        -- One transaction wrote the times of the certificate and the times of the events.
        when (there.created_at between made.occurred_at - interval '1 hour' and made.occurred_at + interval '1 hour') is not true
          then 'the certificate %s has a wrong time of creation'
        when there.status = 'retired' and (there.retired_at between retired.occurred_at - interval '1 hour' and retired.occurred_at + interval '1 hour') is not true
          then 'the certificate %s has a wrong time of retirement' end as fault
    from platform.seal_certificates as there
    full join event as made on made.said ->> 'certificate_id' = there.certificate_id
    left join event as retired on retired.said ->> 'retired_certificate_id' = there.certificate_id
  )
  select 'seal_certificates', '00000000-0000-0000-0000-000000000000'::uuid, 'live', 'platform', '00000000-0000-0000-0000-000000000000'::uuid,
    coalesce(compared.seq, 1), compared.id, format(compared.fault, compared.certificate_id)
  from compared
  where compared.fault is not null and (p_tenant_id is null or p_tenant_id = '00000000-0000-0000-0000-000000000000')
$$;
comment on function platform.audit_check_seal_certificates(uuid) is
  'Finds certificates without an event, events without a certificate, certificates whose name does not match them, and certificates whose environment, status or times differ from their events.';
revoke execute on function platform.audit_check_seal_certificates(uuid) from public;
grant execute on function platform.audit_check_seal_certificates(uuid) to selo_owner;
