--! owner selo_system
-- Looks across tenants: any organization may have sealed the PDF, and the earliest completion counts.
create or replace function signature.find_earliest_envelope(p_sha256 text, out tenant_id uuid, out envelope_id uuid)
  language sql stable security definer set search_path = '' as $$
  select envelope.tenant_id, envelope.id
  from signature.envelope_documents as linked
  join signature.envelopes as envelope on envelope.tenant_id = linked.tenant_id and envelope.id = linked.envelope_id
  where linked.final_sha256 = decode(p_sha256, 'hex') and envelope.environment = 'live' and envelope.status = 'completed'
  order by envelope.completed_at, envelope.id
  limit 1
$$;
comment on function signature.find_earliest_envelope(text) is
  'The live envelope, among all organizations, that was completed first with a sealed PDF of this digest. Null without one. Test envelopes are found by code only.';
revoke execute on function signature.find_earliest_envelope(text) from public;
grant execute on function signature.find_earliest_envelope(text) to selo_owner;
