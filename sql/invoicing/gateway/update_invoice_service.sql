create function gateway.update_invoice_service(
  p_id uuid, p_given text[], p_name text default null, p_description text default null, p_national_code text default null, p_municipal_code text default null, p_nbs_code text default null, p_iss_rate text default null, p_iss_withheld boolean default null, p_iss_taxation integer default null, p_pis_cofins_cst text default null, p_approximate_taxes jsonb default null, p_ibs_cbs jsonb default null
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  v_old invoicing.services;
  v_service invoicing.services;
begin
  perform platform.require_scope('invoices:write');
  v_old := invoicing.require_service(p_id);
  v_service := v_old;
  v_service.name := case when 'name' = any (p_given) then invoicing.trimmed(p_name) else v_old.name end;
  v_service.description := case when 'description' = any (p_given) then invoicing.trimmed(p_description) else v_old.description end;
  v_service.national_code := case when 'national_code' = any (p_given) then p_national_code else v_old.national_code end;
  v_service.municipal_code := case when 'municipal_code' = any (p_given) then p_municipal_code else v_old.municipal_code end;
  v_service.nbs_code := case when 'nbs_code' = any (p_given) then p_nbs_code else v_old.nbs_code end;
  v_service.iss_rate := case when 'iss_rate' = any (p_given) then invoicing.rate(p_iss_rate) else v_old.iss_rate end;
  v_service.iss_withheld := case when 'iss_withheld' = any (p_given) then p_iss_withheld else v_old.iss_withheld end;
  v_service.iss_taxation := case when 'iss_taxation' = any (p_given) then p_iss_taxation else v_old.iss_taxation end;
  v_service.pis_cofins_cst := case when 'pis_cofins_cst' = any (p_given) then p_pis_cofins_cst else v_old.pis_cofins_cst end;
  v_service.approximate_taxes := case when 'approximate_taxes' = any (p_given) then invoicing.whole_rates(p_approximate_taxes) else v_old.approximate_taxes end;
  v_service.ibs_cbs := case when 'ibs_cbs' = any (p_given) then p_ibs_cbs else v_old.ibs_cbs end;
  perform invoicing.refuse_wrong_service(v_service);
  if v_service is distinct from v_old then
    update invoicing.services as service
    set name = v_service.name,
      description = v_service.description,
      national_code = v_service.national_code,
      municipal_code = v_service.municipal_code,
      nbs_code = v_service.nbs_code,
      iss_rate = v_service.iss_rate,
      iss_withheld = v_service.iss_withheld,
      iss_taxation = v_service.iss_taxation,
      pis_cofins_cst = v_service.pis_cofins_cst,
      approximate_taxes = v_service.approximate_taxes,
      ibs_cbs = v_service.ibs_cbs
    where service.tenant_id = v_old.tenant_id and service.id = p_id returning service.* into v_service;
    perform platform.record_audit_event('invoice_service.changed', 'invoice_service', p_id, jsonb_build_object('record_sha256', invoicing.service_record(v_service)));
  end if;
  return (select gateway.invoice_services_json(answer) from api.invoice_services as answer where answer.id = p_id);
end
$$;
comment on function gateway.update_invoice_service(uuid, text[], text, text, text, text, text, text, boolean, integer, text, jsonb, jsonb) is
  E'@param id Id of the service.\n@param name {1..255, not null} Name within the organization.\n@param description {1..2000, not null} What invoices say of the service unless they say otherwise. May have line breaks.\n@param national_code {..6, /^[0-9]{6}$/ must be 6 digits, not null} National service code (cTribNac).\n@param municipal_code {..3, /^[0-9]{3}$/ must be 3 digits} Service code of the municipality (cTribMun).\n@param nbs_code {..9, /^[0-9]{9}$/ must be 9 digits} Code of the Brazilian nomenclature of services (cNBS).\n@param iss_rate {..6, not null} Rate of ISS in per cent: 0 to 100, with up to two decimals, such as `5.00`.\n@param iss_withheld {not null} Whether the customer withholds ISS.\n@param iss_taxation {1..4, not null} Taxation of ISS (tribISSQN): 1 taxed, 2 immune, 3 export, 4 not due.\n@param pis_cofins_cst {..2, /^[0-9]{2}$/ must be 2 digits} Tax situation of PIS and COFINS (CST).\nChanges the given members of a service, named in p_given. Invoices keep what they copied.';
revoke execute on function gateway.update_invoice_service(uuid, text[], text, text, text, text, text, text, boolean, integer, text, jsonb, jsonb) from public;
