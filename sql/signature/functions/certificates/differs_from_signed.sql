create or replace function signature.differs_from_signed(p_envelope signature.envelopes) returns boolean
  language sql stable set search_path = '' as $$
  select exists (
    select from signature.envelope_documents as linked
    where linked.tenant_id = p_envelope.tenant_id and linked.envelope_id = p_envelope.id
      and encode(linked.signed_sha256, 'hex') is distinct from (
        select said.value ->> 'signed_sha256'
        from signature.signature_records as record
        cross join jsonb_array_elements(record.evidence::jsonb -> 'documents') as said (value)
        where record.tenant_id = linked.tenant_id and record.envelope_id = linked.envelope_id and record.participant_id is not null
          and said.value ->> 'document_id' = linked.document_id::text and said.value ? 'signed_sha256'
        order by record.signed_at desc, record.id desc limit 1))
$$;
comment on function signature.differs_from_signed(signature.envelopes) is
  'Whether a document with signatures of participants is another one than that which the last of them signed, as the signed record says.';
revoke execute on function signature.differs_from_signed(signature.envelopes) from public;
