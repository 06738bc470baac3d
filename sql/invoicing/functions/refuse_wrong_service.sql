create or replace function invoicing.refuse_wrong_service(p_service invoicing.services) returns void
  language plpgsql immutable set search_path = '' as $$
declare
  c_taxes constant jsonb := p_service.approximate_taxes;
  c_simples constant boolean := coalesce(c_taxes ? 'simples', false);
  v_wrong jsonb := invoicing.wrong_members('approximate_taxes', c_taxes, case when c_simples then '{simples}'::text[] else '{federal,state,municipal}'::text[] end)
    || invoicing.wrong_members('ibs_cbs', p_service.ibs_cbs, '{operation_indicator,cst,classification}');
begin
  v_wrong := v_wrong || jsonb_strip_nulls(jsonb_build_object(
    'name', invoicing.wrong_text(p_service.name, 255),
    'description', invoicing.wrong_text(p_service.description, 2000, true),
    'iss_rate', case when p_service.iss_rate is null then 'must be a rate in per cent, such as "5.00"' end,
    -- TSTipoCST of the layout.
    'pis_cofins_cst', case when p_service.pis_cofins_cst <> all ('{00,01,02,03,04,05,06,07,08,09,49,50,51,52,53,54,55,56,60,61,62,63,64,65,66,67,70,71,72,73,74,75,98,99}') then 'must be a tax situation of PIS and COFINS (CST)' end,
    'nbs_code', case when p_service.ibs_cbs is not null and p_service.nbs_code is null then 'must be given: IBS and CBS need the NBS code (E0322)' end));
  if v_wrong = '{}' then
    v_wrong := coalesce((
        select jsonb_object_agg('approximate_taxes.' || tax.name, 'must be a rate in per cent, such as "13.45"')
        from jsonb_each_text(c_taxes) as tax (name, rate) where invoicing.rate(tax.rate) is null or tax.name = 'simples' and invoicing.rate(tax.rate) >= 100), '{}')
      || jsonb_strip_nulls(jsonb_build_object(
        'ibs_cbs.operation_indicator', case when p_service.ibs_cbs ->> 'operation_indicator' !~ '^[0-9]{6}$' then 'must be six digits' end,
        'ibs_cbs.cst', case when p_service.ibs_cbs ->> 'cst' !~ '^[0-9]{3}$' then 'must be three digits' end,
        'ibs_cbs.classification', case when p_service.ibs_cbs ->> 'classification' !~ '^[0-9]{6}$' then 'must be six digits' end));
  end if;
  perform platform.refuse_wrong_arguments(v_wrong);
end
$$;
comment on function invoicing.refuse_wrong_service(invoicing.services) is 'Raises 422 invalid_request for a service that the layout of the NFS-e refuses.';
revoke execute on function invoicing.refuse_wrong_service(invoicing.services) from public;
