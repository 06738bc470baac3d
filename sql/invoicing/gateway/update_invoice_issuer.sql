create function gateway.update_invoice_issuer(
  p_id uuid, p_given text[], p_cnpj text default null, p_name text default null, p_municipal_registration text default null, p_city_code text default null, p_simples integer default null, p_simples_regime integer default null, p_special_regime integer default null, p_series text default null, p_next_number bigint default null, p_municipal_code_required boolean default null, p_is_default boolean default null
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  v_old invoicing.issuers;
  v_issuer invoicing.issuers;
begin
  perform platform.require_scope('invoices:manage');
  perform invoicing.hold_issuers();
  if p_is_default then
    -- Claims of workers lock several issuers in this order, too.
    perform from invoicing.issuers as issuer
    where issuer.tenant_id = platform.tenant_id() and issuer.environment = platform.environment() and (issuer.id = p_id or issuer.is_default)
    order by issuer.id for no key update;
  end if;
  v_old := invoicing.require_issuer(p_id);
  v_issuer := v_old;
  v_issuer.cnpj := case when 'cnpj' = any (p_given) then p_cnpj else v_old.cnpj end;
  v_issuer.name := case when 'name' = any (p_given) then invoicing.trimmed(p_name) else v_old.name end;
  v_issuer.municipal_registration := case when 'municipal_registration' = any (p_given) then p_municipal_registration else v_old.municipal_registration end;
  v_issuer.city_code := case when 'city_code' = any (p_given) then p_city_code else v_old.city_code end;
  v_issuer.simples := case when 'simples' = any (p_given) then p_simples else v_old.simples end;
  v_issuer.simples_regime := case when 'simples_regime' = any (p_given) then p_simples_regime else v_old.simples_regime end;
  v_issuer.special_regime := case when 'special_regime' = any (p_given) then p_special_regime else v_old.special_regime end;
  v_issuer.series := case when 'series' = any (p_given) then p_series else v_old.series end;
  v_issuer.next_number := case when 'next_number' = any (p_given) then p_next_number else v_old.next_number end;
  v_issuer.municipal_code_required := case when 'municipal_code_required' = any (p_given) then p_municipal_code_required else v_old.municipal_code_required end;
  v_issuer.is_default := case when 'is_default' = any (p_given) then p_is_default else v_old.is_default end;
  perform invoicing.refuse_wrong_issuer(v_issuer);
  if v_issuer.next_number < v_old.next_number then
    perform platform.refuse_wrong_arguments(jsonb_build_object('next_number', format('must be at least %s: numbers only grow', v_old.next_number)));
  end if;
  -- Both are part of the identity of a DPS (its Id), which an invoice gets with its first transmission.
  if (v_issuer.cnpj, v_issuer.city_code) is distinct from (v_old.cnpj, v_old.city_code) and exists (
      select from invoicing.invoices as numbered
      where numbered.tenant_id = v_old.tenant_id and numbered.issuer_id = p_id and (numbered.number is not null or numbered.status <> 'draft')) then
    perform platform.refuse_wrong_arguments(jsonb_build_object(case when v_issuer.cnpj <> v_old.cnpj then 'cnpj' else 'city_code' end,
      'must stay: invoices of the issuer were queued or transmitted. Add another issuer'));
  end if;
  if v_issuer.is_default and not v_old.is_default then
    perform invoicing.unset_default_issuer();
  end if;
  if v_issuer is distinct from v_old then
    update invoicing.issuers as issuer
    set cnpj = v_issuer.cnpj,
      name = v_issuer.name,
      municipal_registration = v_issuer.municipal_registration,
      city_code = v_issuer.city_code,
      simples = v_issuer.simples,
      simples_regime = v_issuer.simples_regime,
      special_regime = v_issuer.special_regime,
      series = v_issuer.series,
      next_number = v_issuer.next_number,
      municipal_code_required = v_issuer.municipal_code_required,
      is_default = v_issuer.is_default
    where issuer.tenant_id = v_old.tenant_id and issuer.id = p_id returning issuer.* into v_issuer;
    perform platform.record_audit_event('invoice_issuer.changed', 'invoice_issuer', p_id, jsonb_build_object('record_sha256', invoicing.issuer_record(v_issuer)));
  end if;
  return (select gateway.invoice_issuers_json(answer) from api.invoice_issuers as answer where answer.id = p_id);
end
$$;
comment on function gateway.update_invoice_issuer(uuid, text[], text, text, text, text, integer, integer, integer, text, bigint, boolean, boolean) is
  E'@param id Id of the issuer.\n@param cnpj {..14, /^[0-9A-Z]{12}[0-9]{2}$/ must be 14 digits or capitals, not null} CNPJ: digits and capitals alone.\n@param name {1..300, not null} Company name, in characters of Latin-1.\n@param municipal_registration {..15, /^[A-Za-z0-9]{1,15}$/ must be 1 to 15 letters and digits} Registration with the municipality.\n@param city_code {..7, /^[0-9]{7}$/ must be 7 digits, not null} Code of the municipality (IBGE).\n@param simples {1..3, not null} Simples Nacional (opSimpNac): 1 not opted, 2 MEI, 3 small company.\n@param simples_regime {1..3} How a small company in Simples Nacional computes its taxes (regApTribSN).\n@param special_regime {0..6, not null} Special regime of the municipality (regEspTrib), 0 without one.\n@param series {..5, /^[0-9]{1,5}$/ must be 1 to 5 digits, not null} Series of the DPS.\n@param next_number {1..999999999999999, not null} Number of the next DPS of the series. Who comes from another system goes on from there.\n@param municipal_code_required {not null} Whether the municipality requires its own code of each service.\n@param is_default {not null} Whether invoices that name no issuer are of this one. The first issuer always is.\nChanges the given members of an issuer, named in p_given. Invoices that were signed stay as they are.';
revoke execute on function gateway.update_invoice_issuer(uuid, text[], text, text, text, text, integer, integer, integer, text, bigint, boolean, boolean) from public;
