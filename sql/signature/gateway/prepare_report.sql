create function gateway.prepare_report(p_id uuid) returns json
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
  elsif v_envelope.status in ('draft', 'ready') then
    perform platform.fail(409, 'conflict', 'The envelope has no report until it is sent.');
  end if;
  perform signature.refuse_erased(p_id);
  return signature.report_of(v_envelope);
end
$$;
comment on function gateway.prepare_report(uuid) is
  E'@slow\n@param id Id of the envelope.\nFirst half of GET /envelopes/{id}/evidence as a PDF: what the report is made from. 404 not_found for an unknown envelope, 409 conflict before the envelope is sent, and once it was erased.';
revoke execute on function gateway.prepare_report(uuid) from public;
