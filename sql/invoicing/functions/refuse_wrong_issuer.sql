create or replace function invoicing.refuse_wrong_issuer(p_issuer invoicing.issuers) returns void
  language plpgsql immutable set search_path = '' as $$
begin
  perform platform.refuse_wrong_arguments(jsonb_build_object(
    'cnpj', case when invoicing.is_cnpj(p_issuer.cnpj) is not true then 'must be a CNPJ: 14 digits or capitals, with right check digits' end,
    'name', invoicing.wrong_text(p_issuer.name, 300),
    'city_code', case when invoicing.is_city_code(p_issuer.city_code) is not true then 'must be the code of a municipality (IBGE): seven digits, with a right check digit' end,
    'simples_regime', case when (p_issuer.simples = 3) <> (p_issuer.simples_regime is not null) then
      case when p_issuer.simples = 3 then 'must be given: the issuer is a small company in Simples Nacional' else 'must be null: the issuer is not a small company in Simples Nacional' end end,
    'is_default', case when p_issuer.is_default and p_issuer.archived_at is not null then 'must be false: the issuer is archived' end));
end
$$;
comment on function invoicing.refuse_wrong_issuer(invoicing.issuers) is 'Raises 422 invalid_request for an issuer that the layout of the NFS-e or the check digits refuse.';
revoke execute on function invoicing.refuse_wrong_issuer(invoicing.issuers) from public;
