create function gateway.create_invoice_service(
  p_name text, p_description text, p_national_code text, p_iss_rate text, p_municipal_code text default null, p_nbs_code text default null, p_iss_withheld boolean default false, p_iss_taxation integer default 1, p_pis_cofins_cst text default null, p_approximate_taxes jsonb default null, p_ibs_cbs jsonb default null
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  v_service invoicing.services;
begin
  perform platform.require_scope('invoices:write');
  v_service.name := invoicing.trimmed(p_name);
  v_service.description := invoicing.trimmed(p_description);
  v_service.national_code := p_national_code;
  v_service.municipal_code := p_municipal_code;
  v_service.nbs_code := p_nbs_code;
  v_service.iss_rate := invoicing.rate(p_iss_rate);
  v_service.iss_withheld := p_iss_withheld;
  v_service.iss_taxation := p_iss_taxation;
  v_service.pis_cofins_cst := p_pis_cofins_cst;
  v_service.approximate_taxes := invoicing.whole_rates(p_approximate_taxes);
  v_service.ibs_cbs := p_ibs_cbs;
  perform invoicing.refuse_wrong_service(v_service);
  insert into invoicing.services as made (tenant_id, environment, name, description, national_code, municipal_code, nbs_code, iss_rate, iss_withheld, iss_taxation, pis_cofins_cst, approximate_taxes, ibs_cbs)
  values (platform.tenant_id(), platform.environment(), v_service.name, v_service.description, v_service.national_code, v_service.municipal_code, v_service.nbs_code, v_service.iss_rate, v_service.iss_withheld, v_service.iss_taxation, v_service.pis_cofins_cst, v_service.approximate_taxes, v_service.ibs_cbs)
  returning made.* into v_service;
  perform platform.record_audit_event('invoice_service.created', 'invoice_service', v_service.id, jsonb_build_object('record_sha256', invoicing.service_record(v_service)));
  return (select gateway.invoice_services_json(answer) from api.invoice_services as answer where answer.id = v_service.id);
end
$$;
comment on function gateway.create_invoice_service(text, text, text, text, text, text, boolean, integer, text, jsonb, jsonb) is
  E'@param name {1..255} Name within the organization.\n@param description {1..2000} What invoices say of the service unless they say otherwise. May have line breaks.\n@param national_code {..6, /^[0-9]{6}$/ must be 6 digits} National service code (cTribNac).\n@param iss_rate {..6} Rate of ISS in per cent: 0 to 100, with up to two decimals, such as `5.00`.\n@param municipal_code {..3, /^[0-9]{3}$/ must be 3 digits} Service code of the municipality (cTribMun).\n@param nbs_code {..9, /^[0-9]{9}$/ must be 9 digits} Code of the Brazilian nomenclature of services (cNBS).\n@param iss_withheld {not null} Whether the customer withholds ISS.\n@param iss_taxation {1..4, not null} Taxation of ISS (tribISSQN): 1 taxed, 2 immune, 3 export, 4 not due.\n@param pis_cofins_cst {..2, /^[0-9]{2}$/ must be 2 digits} Tax situation of PIS and COFINS (CST).\nAdds a service. What TypeScript takes as objects has been checked for its form alone.';
revoke execute on function gateway.create_invoice_service(text, text, text, text, text, text, boolean, integer, text, jsonb, jsonb) from public;
