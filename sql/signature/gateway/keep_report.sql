create function gateway.keep_report(p_id uuid, p_basis text, p_object_id uuid, p_size bigint, p_sha256 text, p_unreadable uuid default null) returns json
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform platform.require_scope('envelopes:read');
  perform signature.keep_report(p_id, decode(p_basis, 'hex'), p_object_id, p_size, decode(p_sha256, 'hex'), p_unreadable);
  return '{}';
end
$$;
comment on function gateway.keep_report(uuid, text, uuid, bigint, text, uuid) is
  'Keeps the evidence report that was made for a dossier, so that the next dossier of the envelope needs none: see signature.keep_report. Digests are hexadecimal.';
revoke execute on function gateway.keep_report(uuid, text, uuid, bigint, text, uuid) from public;
