create or replace function invoicing.issuer_problems(p_issuer invoicing.issuers) returns json
  language sql stable security definer set search_path = '' as $$
  select coalesce(json_agg(json_build_object('code', problem.code, 'message', problem.message) order by problem.place), '[]')
  from (values
    (1, 'route_closed', 'This deployment has no route to the tax authority yet.', not invoicing.has_route(p_issuer.environment)),
    (2, 'certificate_missing', 'The issuer has no certificate.', p_issuer.certificate is null),
    (3, 'certificate_expired', 'The certificate of the issuer has expired.', (p_issuer.certificate ->> 'not_after')::timestamptz <= now()),
    (4, 'certificate_not_yet_valid', 'The certificate of the issuer is not valid yet.', (p_issuer.certificate ->> 'not_before')::timestamptz > now()),
    (5, 'certificate_of_another', 'The certificate is of another CNPJ.', p_issuer.certificate ->> 'cnpj' <> p_issuer.cnpj),
    (6, 'cnpj_with_letters', 'Layout 1.01 of the NFS-e takes no letters in a CNPJ.', p_issuer.cnpj !~ '^[0-9]+$')
  ) as problem (place, code, message, holds)
  where problem.holds
$$;
comment on function invoicing.issuer_problems(invoicing.issuers) is 'Why an issuer cannot issue: [{code, message}], empty if it can.';
revoke execute on function invoicing.issuer_problems(invoicing.issuers) from public;
-- The view api.invoice_issuers calls it as whoever reads the view.
grant execute on function invoicing.issuer_problems(invoicing.issuers) to selo_app, selo_analyst;
