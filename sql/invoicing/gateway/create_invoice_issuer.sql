create function gateway.create_invoice_issuer(
  p_cnpj text, p_name text, p_city_code text, p_simples integer, p_municipal_registration text default null, p_simples_regime integer default null, p_special_regime integer default 0, p_series text default '1', p_next_number bigint default 1, p_municipal_code_required boolean default false, p_is_default boolean default false
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  v_issuer invoicing.issuers;
begin
  perform platform.require_scope('invoices:manage');
  v_issuer.cnpj := p_cnpj;
  v_issuer.name := invoicing.trimmed(p_name);
  v_issuer.municipal_registration := p_municipal_registration;
  v_issuer.city_code := p_city_code;
  v_issuer.simples := p_simples;
  v_issuer.simples_regime := p_simples_regime;
  v_issuer.special_regime := p_special_regime;
  v_issuer.series := p_series;
  v_issuer.next_number := p_next_number;
  v_issuer.municipal_code_required := p_municipal_code_required;
  v_issuer.is_default := p_is_default;
  perform invoicing.refuse_wrong_issuer(v_issuer);
  perform invoicing.hold_issuers();
  v_issuer.is_default := p_is_default or invoicing.default_issuer_id() is null;
  if v_issuer.is_default then
    perform invoicing.unset_default_issuer();
  end if;
  insert into invoicing.issuers as made (tenant_id, environment, cnpj, name, municipal_registration, city_code, simples, simples_regime, special_regime, series, next_number, municipal_code_required, is_default)
  values (platform.tenant_id(), platform.environment(), v_issuer.cnpj, v_issuer.name, v_issuer.municipal_registration, v_issuer.city_code, v_issuer.simples, v_issuer.simples_regime, v_issuer.special_regime, v_issuer.series, v_issuer.next_number, v_issuer.municipal_code_required, v_issuer.is_default)
  returning made.* into v_issuer;
  perform platform.record_audit_event('invoice_issuer.created', 'invoice_issuer', v_issuer.id, jsonb_build_object('record_sha256', invoicing.issuer_record(v_issuer)));
  return (select gateway.invoice_issuers_json(answer) from api.invoice_issuers as answer where answer.id = v_issuer.id);
end
$$;
comment on function gateway.create_invoice_issuer(text, text, text, integer, text, integer, integer, text, bigint, boolean, boolean) is
  E'@param cnpj {..14, /^[0-9A-Z]{12}[0-9]{2}$/ must be 14 digits or capitals} CNPJ: digits and capitals alone.\n@param name {1..300} Company name, in characters of Latin-1.\n@param city_code {..7, /^[0-9]{7}$/ must be 7 digits} Code of the municipality (IBGE).\n@param simples {1..3} Simples Nacional (opSimpNac): 1 not opted, 2 MEI, 3 small company.\n@param municipal_registration {..15, /^[A-Za-z0-9]{1,15}$/ must be 1 to 15 letters and digits} Registration with the municipality.\n@param simples_regime {1..3} How a small company in Simples Nacional computes its taxes (regApTribSN).\n@param special_regime {0..6, not null} Special regime of the municipality (regEspTrib), 0 without one.\n@param series {..5, /^[0-9]{1,5}$/ must be 1 to 5 digits, not null} Series of the DPS.\n@param next_number {1..999999999999999, not null} Number of the next DPS of the series. Who comes from another system goes on from there.\n@param municipal_code_required {not null} Whether the municipality requires its own code of each service.\n@param is_default {not null} Whether invoices that name no issuer are of this one. The first issuer always is.\nAdds an issuer. What TypeScript takes as objects has been checked for its form alone.';
revoke execute on function gateway.create_invoice_issuer(text, text, text, integer, text, integer, integer, text, bigint, boolean, boolean) from public;
