create function jobs.record_verified_records(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
begin
  delete from signature.unverified_records as waiting
  where waiting.tenant_id = platform.tenant_id()
    and waiting.record_id in (select jsonb_array_elements_text(p_arguments -> 'verified')::uuid);
  update signature.unverified_records as waiting
  set failed_at = clock_timestamp(), failure = refused.failure
  from jsonb_to_recordset(p_arguments -> 'refused') as refused (id uuid, failure text)
  where waiting.tenant_id = platform.tenant_id() and waiting.record_id = refused.id;
  return '{}';
end
$$;
comment on function jobs.record_verified_records(jsonb) is 'Removes verified records from the queue and marks refused records: {verified: [id], refused: [{id, failure}]}.';
revoke execute on function jobs.record_verified_records(jsonb) from public;
