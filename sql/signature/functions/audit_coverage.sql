create or replace function signature.audit_coverage() returns table (table_name text, column_name text, check_name text, how text)
  language sql immutable set search_path = '' as $$
  select covered.table_name, named.column_name, covered.check_name, covered.how
  from (values
    ('signature.proofs', '{tenant_id,id,environment,sha256,label,file_name,file_size,registered_at,verification_code,evidence,platform_key_id,platform_pq_key_id}', 'proofs', 'compared with the signed evidence, and the evidence with its event'),
    ('signature.proofs', '{platform_signature,platform_signature_pq}', 'signatures', 'verified anew, with the keys of `--keys` where given'),
    ('signature.proofs', '{language}', null, 'the proof names another language of its organization'),
    ('signature.unverified_proofs', '{tenant_id,environment,proof_id,created_at,failed_at,failure}', null, 'the worker does not verify a proof a second time, or raises no alarm; `selo audit verify` still verifies the proof'),
    ('signature.data_keys', '{tenant_id,environment,sealed_key,created_at}', null, 'documents and personal data of the organization cannot be decrypted: a key can be decrypted only for its own organization and environment, and opens only what was encrypted under it'),
    ('signature.documents', '{tenant_id,id,environment,filename,status,reason,size,sha256,pages,object_id,created_at,checked_at,record_salt}', 'records', 'compared with the salted digest in the last event of the record'),
    ('signature.documents', '{attempts,checking_until}', null, 'a document is checked later, once more or once less'),
    ('signature.document_statuses', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('signature.document_reasons', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration')
  ) as covered (table_name, columns, check_name, how)
  cross join lateral unnest(covered.columns::text[]) as named (column_name)
$$;
comment on function signature.audit_coverage() is
  'See platform.audit_coverage.';
revoke execute on function signature.audit_coverage() from public;
