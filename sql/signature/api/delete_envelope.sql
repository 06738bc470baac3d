create function api.delete_envelope(p_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform platform.require_scope('envelopes:write');
  perform signature.require_draft(p_id);
  -- A label that is removed at the same time loses its rows in one transaction or in the other.
  perform signature.hold_labels(p_id);
  delete from signature.envelopes as envelope where envelope.tenant_id = platform.tenant_id() and envelope.id = p_id;
  perform platform.record_audit_event('envelope.deleted', 'envelope', p_id);
end
$$;
comment on function api.delete_envelope(uuid) is
  E'@param id Id of the envelope.\nRemoves a draft with its participants and fields. Its documents remain. Returns 409 conflict once the envelope has been sent.';
revoke execute on function api.delete_envelope(uuid) from public;
