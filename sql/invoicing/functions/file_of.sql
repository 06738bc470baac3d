create or replace function invoicing.file_of(p_transmission invoicing.transmissions, p_kind text) returns bytea
  language sql immutable set search_path = '' as $$
  select case p_kind
    when 'pdf' then p_transmission.document when 'xml' then p_transmission.document
    when 'dps' then p_transmission.request when 'response' then p_transmission.answer end
$$;
comment on function invoicing.file_of(invoicing.transmissions, text) is
  'What a file of an invoice is made of, gzipped: the NFS-e for pdf and xml, the signed DPS for dps, the last answer of the tax authority for response. Null before it exists.';
revoke execute on function invoicing.file_of(invoicing.transmissions, text) from public;
grant execute on function invoicing.file_of(invoicing.transmissions, text) to selo_system;
