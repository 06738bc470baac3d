create function jobs.bind_signing_link(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  c_id constant uuid := p_arguments ->> 'participant_id';
  c_digest constant bytea := decode(p_arguments ->> 'digest', 'hex');
  v_is_first boolean;
begin
  -- The envelope is locked first, then the participant.
  perform from signature.envelopes as envelope
  where envelope.tenant_id = c_tenant_id and envelope.environment = platform.environment()
    and envelope.id = (select known.envelope_id from signature.participants as known where known.tenant_id = c_tenant_id and known.id = c_id)
    and envelope.status in ('sent', 'in_progress', 'partially_signed') and envelope.expires_at > clock_timestamp()
  for no key update;
  if not found or not exists (
    select from signature.participants as participant
    where participant.tenant_id = c_tenant_id and participant.id = c_id and participant.status in ('invited', 'viewed')
      and participant.link_version = (p_arguments ->> 'link_version')::integer
  ) then
    return null;
  end if;
  v_is_first := not exists (
    select from platform.credentials as credential
    where credential.tenant_id = c_tenant_id and credential.kind = 'participant' and credential.actor_id = c_id);
  insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from, scopes)
  values (c_digest, 'participant', c_tenant_id, platform.environment(), c_id, 'credential', '{signing:act}')
  on conflict (digest) do nothing;
  -- A mail that is composed again finds its link there.
  if found then
    if v_is_first then
      perform platform.record_audit_event('participant.link_made', 'participant', c_id, signature.participant_state(c_id));
    else
      perform platform.record_audit_event('participant.link_renewed', 'participant', c_id, signature.participant_state(c_id));
    end if;
  end if;
  return '{}';
end
$$;
comment on function jobs.bind_signing_link(jsonb) is
  'Makes the signing link {participant_id, link_version, digest} open: digest is the SHA-256 of the SHA-256 of its secret, hexadecimal. Null, and nothing is done, for an earlier version of the link, for a participant who has finished, and once the envelope has ended.';
revoke execute on function jobs.bind_signing_link(jsonb) from public;
