create or replace function signature.envelope_state(p_id uuid) returns jsonb
  language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object('record_sha256', platform.record_digest(envelope.record_salt, signature.envelope_record(envelope)))
    from signature.envelopes as envelope
    where envelope.tenant_id = platform.tenant_id() and envelope.environment = platform.environment() and envelope.id = p_id);
end
$$;
comment on function signature.envelope_state(uuid) is 'The part of an envelope''s events that describes the record: {record_sha256}.';
revoke execute on function signature.envelope_state(uuid) from public;
