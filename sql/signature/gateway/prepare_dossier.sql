create function gateway.prepare_dossier(p_id uuid, p_maker text default '') returns json
  language plpgsql stable security definer set search_path = ''
  -- Events are read by ids, as gateway.list_audit_events does.
  set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
declare
  v_envelope signature.envelopes;
begin
  perform platform.require_scope('envelopes:read');
  select envelope.* into v_envelope from signature.envelopes as envelope
  where envelope.tenant_id = platform.tenant_id() and envelope.environment = platform.environment() and envelope.id = p_id;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such envelope.');
  elsif v_envelope.status not in ('completed', 'declined', 'cancelled', 'expired', 'failed') then
    perform platform.fail(409, 'conflict', 'The envelope has no dossier until it has ended.');
  end if;
  perform signature.refuse_erased(p_id);
  return signature.dossier_of(v_envelope, p_maker);
end
$$;
comment on function gateway.prepare_dossier(uuid, text) is
  E'@slow\n@param id Id of the envelope.\n@param maker {..64} Who makes reports, and how they are drawn.\nFirst half of GET /envelopes/{id}/dossier: what the dossier is made from. 404 not_found for an unknown envelope, 409 conflict before the envelope has ended, and once it was erased.';
revoke execute on function gateway.prepare_dossier(uuid, text) from public;
