create function jobs.warn_of_certificate(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  v_issuer invoicing.issuers;
  v_days integer;
begin
  select issuer.* into v_issuer from invoicing.issuers as issuer
  where issuer.tenant_id = platform.tenant_id() and issuer.environment = platform.environment() and issuer.id = (p_arguments ->> 'id')::uuid
    and issuer.archived_at is null
  for no key update;
  v_days := invoicing.days_to_warn_of((v_issuer.certificate ->> 'not_after')::timestamptz, clock_timestamp());
  if (v_days < coalesce(v_issuer.warned_days, 31)) is not true then
    return null;
  end if;
  update invoicing.issuers as issuer set warned_days = v_days where issuer.tenant_id = v_issuer.tenant_id and issuer.id = v_issuer.id;
  perform platform.mail_owners('invoice_certificate_ends', jsonb_build_object('issuer_id', v_issuer.id, 'name', v_issuer.name, 'cnpj', v_issuer.cnpj,
    'ends_at', v_issuer.certificate ->> 'not_after', 'at', platform.instant(clock_timestamp())));
  return '{}';
end
$$;
comment on function jobs.warn_of_certificate(jsonb) is
  'Mails the owners that the certificate of the issuer {id} ends, once for each of 30, 7 and 1 days before. Null, and nothing is done, if no mail is due.';
revoke execute on function jobs.warn_of_certificate(jsonb) from public;
