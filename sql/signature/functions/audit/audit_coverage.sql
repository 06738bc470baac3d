create or replace function signature.audit_coverage() returns table (table_name text, column_name text, check_name text, how text)
  language sql immutable set search_path = '' as $$
  select covered.table_name, named.column_name, covered.check_name, covered.how
  from (values
    ('signature.proofs', '{tenant_id,id,environment,sha256,label,file_name,file_size,registered_at,verification_code,evidence,platform_key_id,platform_pq_key_id}', 'proofs', 'compared with the signed evidence, and the evidence with its event'),
    ('signature.proofs', '{platform_signature,platform_signature_pq}', 'signatures', 'verified anew, with the keys of `--keys` where given'),
    ('signature.proofs', '{language}', null, 'the proof names another language of its organization'),
    ('signature.unverified_proofs', '{tenant_id,environment,proof_id,created_at,failed_at,failure}', null, 'the worker does not verify a proof a second time, or raises no alarm; `selo audit verify` still verifies the proof'),
    ('signature.data_keys', '{tenant_id,environment,sealed_key,created_at}', null, 'documents and personal data of the organization cannot be decrypted: a key can be decrypted only for its own organization and environment, and opens only what was encrypted under it'),
    ('signature.documents', '{tenant_id,id,environment,filename,status,reason,size,sha256,pages,object_id,is_signed,is_certified,created_at,checked_at,record_salt}', 'records', 'compared with the salted digest in the last event of the record'),
    ('signature.documents', '{is_certified_known}', null, 'a signed document from before this column is sent or not; its certification is part of the record'),
    ('signature.documents', '{attempts,checking_until}', null, 'a document is checked later, once more or once less'),
    ('signature.connector_kinds', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('signature.connector_statuses', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('signature.connector_contents', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('signature.connector_disabled_reasons', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('signature.package_delivery_statuses', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('signature.document_statuses', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('signature.document_reasons', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('signature.envelopes', '{tenant_id,id,environment,title,message,status,signing_order,allow_delegation,language,jurisdiction,field_placement,expires_in_days,external_id,expires_at,sent_at,completed_at,sealing_since,cancel_reason,failure_reason,verification_code,template_id,created_at,record_salt}', 'records', 'compared with the salted digest in the last event of the envelope'),
    ('signature.envelopes', '{completion_attempts}', null, 'the completion of an envelope is tried once more or once less'),
    ('signature.envelope_documents', '{tenant_id,id,environment,envelope_id,document_id,position,final_object_id,final_size,final_sha256,signed_object_id,signed_size,signed_sha256}', 'records', 'compared with the salted digest in the last event of the envelope'),
    ('signature.labels', '{tenant_id,id,environment,name,color,created_at,record_salt}', 'records', 'compared with the salted digest in the last event of the label'),
    ('signature.labels', '{name_key}', null, 'labels stand in another order, or a name is refused or taken twice'),
    ('signature.envelope_labels', '{tenant_id,environment,label_id,envelope_id}', 'envelope_labels', 'compared with the last event of the label that names the envelope'),
    ('signature.participants', '{tenant_id,id,environment,envelope_id,name,email,role,order_index,auth_method,modality,cpf_mask,enciphered_cpf,ssn_last4_mask,enciphered_ssn_last4,phone_mask,enciphered_phone,status,locked,invited_at,viewed_at,completed_at,invitation_failed,created_at,link_version,reminded_at,decline_reason}', 'records', 'compared with the salted digest in the last event of the envelope'),
    ('signature.templates', '{tenant_id,id,environment,name,title,message,signing_order,language,expires_in_days,participants,created_at,updated_at,record_salt}', 'records', 'compared with the salted digest in the last event of the record'),
    ('signature.fields', '{tenant_id,id,environment,envelope_id,participant_id,document_id,page,x,y,width,height,type,required,condition_field_id,condition_trigger,label,created_at,value}', 'records', 'compared with the salted digest in the last event of the envelope'),
    ('signature.signature_records', '{tenant_id,id,environment,envelope_id,participant_id,evidence,platform_key_id,platform_pq_key_id,openings,signed_at}', 'signed_records', 'compared with the signed evidence, and the evidence with its event; openings that were erased are accepted'),
    ('signature.signature_records', '{platform_signature,platform_signature_pq}', 'signatures', 'verified anew, with the keys of `--keys` where given'),
    ('signature.unverified_records', '{tenant_id,environment,record_id,created_at,failed_at,failure}', null, 'the worker does not verify a signed record a second time, or raises no alarm; `selo audit verify` still verifies the record'),
    ('signature.signing_codes', '{tenant_id,id,environment,envelope_id,participant_id,link_version,enciphered_code,code_digest,tries,created_at,expires_at,used_at}', null, 'a code is accepted longer, has more tries or is sent more often, or is refused: a code opens only in its own row, and the events of the envelope say which codes were sent, refused and used'),
    ('signature.signing_sessions', '{tenant_id,id,environment,envelope_id,participant_id,link_version,digest,code_id,created_at,expires_at}', null, 'a session lives longer or ends, or somebody with the link of the participant acts without a code: the events of the envelope then have no sign-in of the participant'),
    ('signature.certificate_offers', '{tenant_id,participant_id,environment,envelope_id,chain,at,documents,expires_at}', null, 'a participant who signs with a certificate is refused, and sends the certificate again: what is signed is prepared anew and compared'),
    ('signature.signer_certificates', '{tenant_id,participant_id,environment,envelope_id,path,revocation_object_id}', null, 'neither report nor dossier of the envelope can be made: the signed record of the participant holds the digest of each certificate and of each answer'),
    ('signature.connectors', '{tenant_id,id,environment,name,kind,status,content,endpoint,region,bucket,prefix,access_key_id,disabled_reason,created_at,record_salt}', 'records', 'compared with the salted digest in the last event of the record'),
    ('signature.connectors', '{sealed_secret}', null, 'packages are signed with an older secret of the same connector, or not delivered: a secret can be decrypted only for its own connector'),
    ('signature.package_deliveries', '{tenant_id,id,environment,connector_id,envelope_id,status,attempts,tries,error_status,error_code,created_at,delivered_at}', null, 'a package is delivered to a connector of the organization once more, later or not at all, or the list of deliveries shows another outcome'),
    ('signature.envelope_reports', '{tenant_id,environment,envelope_id,basis,object_id,size,sha256,created_at}', null, 'a package is not delivered, or it or a dossier has an older report of the same envelope: a report can be decrypted only for its own envelope'),
    ('signature.consents', '{jurisdiction,language,version,body,is_current}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('signature.envelope_statuses', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('signature.signing_orders', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('signature.field_placements', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('signature.participant_roles', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('signature.participant_statuses', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('signature.condition_triggers', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('signature.auth_methods', '{name,description,is_available}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('signature.modalities', '{name,description,is_available}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('signature.field_types', '{name,description,is_available}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('signature.envelope_moves', '{from_status,action,to_status}', 'reference_data', 'compared with a digest of the rows, recorded after each migration')
  ) as covered (table_name, columns, check_name, how)
  cross join lateral unnest(covered.columns::text[]) as named (column_name)
$$;
comment on function signature.audit_coverage() is
  'See platform.audit_coverage.';
revoke execute on function signature.audit_coverage() from public;
