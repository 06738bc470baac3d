create function jobs.expire_envelope(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  c_id constant uuid := p_arguments ->> 'id';
begin
  perform from signature.envelopes as envelope
  where envelope.tenant_id = platform.tenant_id() and envelope.environment = platform.environment() and envelope.id = c_id
    and envelope.status in ('sent', 'in_progress', 'partially_signed') and envelope.sealing_since is null and envelope.expires_at <= clock_timestamp()
  for no key update;
  if not found then
    return null;
  end if;
  perform signature.end_envelope(c_id, 'expire');
  return '{}';
end
$$;
comment on function jobs.expire_envelope(jsonb) is
  'Ends the envelope {id} whose deadline has passed. Null, and nothing is done, for an envelope that is being completed, has ended, or has time.';
revoke execute on function jobs.expire_envelope(jsonb) from public;
