create function jobs.keep_request(p_given jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  v_transmission constant invoicing.transmissions := invoicing.hold_transmission(p_given);
begin
  if v_transmission.lease_id is null then
    return null;
  end if;
  -- In doubt from now on: the bytes may arrive in the next moment.
  update invoicing.transmissions as transmission
  set request_id = p_given ->> 'request_id', request = decode(p_given ->> 'request', 'base64'), request_sha256 = decode(p_given ->> 'request_sha256', 'hex'),
    is_in_doubt = true
  where transmission.tenant_id = v_transmission.tenant_id and transmission.invoice_id = v_transmission.invoice_id and transmission.kind = v_transmission.kind;
  return '{"kept": true}';
end
$$;
comment on function jobs.keep_request(jsonb) is
  'Second step of an attempt, by its lease: keeps the signed bytes {request_id, request (gzipped, base64), request_sha256} before they are sent. Null if the lease is over.';
revoke execute on function jobs.keep_request(jsonb) from public;
