create function jobs.record_audit_seal(p_evidence text, p_platform_signature bytea, p_platform_signature_pq bytea) returns bigint
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_evidence jsonb := p_evidence::jsonb;
  v_number bigint := v_evidence ->> 'number';
begin
  lock table platform.audit_seal_roots in share row exclusive mode;
  if exists (select from platform.audit_seals as seal where seal.number >= v_number)
    or not exists (select from platform.audit_root(v_number) as total where encode(total.root, 'hex') = v_evidence ->> 'root') then
    return null;
  end if;
  insert into platform.audit_seals (number, sealed_at, chains, root, evidence,
    platform_key_id, platform_signature, platform_pq_key_id, platform_signature_pq)
  values (v_number, (v_evidence ->> 'sealed_at')::timestamptz, (v_evidence ->> 'chains')::bigint, decode(v_evidence ->> 'root', 'hex'), p_evidence,
    v_evidence ->> 'key_id', p_platform_signature, v_evidence ->> 'pq_key_id', p_platform_signature_pq);
  -- The job is added in the transaction of the seal, so that the trail is verified even if the worker ends now.
  perform jobs.add_verification();
  return v_number;
end
$$;
comment on function jobs.record_audit_seal(text, bytea, bytea) is 'Second half of a seal: keeps the signed payload and adds a job that verifies the audit trail. Answers the number of the seal. Keeps nothing and answers null when another seal came between the halves.';
revoke execute on function jobs.record_audit_seal(text, bytea, bytea) from public;
grant execute on function jobs.record_audit_seal(text, bytea, bytea) to selo_worker;
