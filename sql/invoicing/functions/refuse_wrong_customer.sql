create or replace function invoicing.refuse_wrong_customer(p_customer invoicing.customers) returns void
  language plpgsql immutable set search_path = '' as $$
declare
  c_address constant jsonb := p_customer.address;
  c_is_abroad constant boolean := p_customer.country <> 'BR';
  v_wrong jsonb := invoicing.wrong_members('address', c_address, '{street,number,district}', '{complement,city_code,postal_code}');
begin
  v_wrong := v_wrong || jsonb_strip_nulls(jsonb_build_object(
    'name', invoicing.wrong_text(p_customer.name, 300),
    'document', case p_customer.document_type
      when 'cpf' then case when invoicing.is_cpf(p_customer.document) is not true then 'must be a CPF: 11 digits, with right check digits' end
      when 'cnpj' then case when invoicing.is_cnpj(p_customer.document) is not true then 'must be a CNPJ: 14 digits or capitals, with right check digits' end
      when 'nif' then case when p_customer.document is null then 'must not be null' else invoicing.wrong_text(p_customer.document, 40) end
      else case when p_customer.document is not null then 'must be null: the customer has no document' end end,
    'country', case when p_customer.document_type = 'cnpj' and c_is_abroad then 'must be BR: the customer has a CNPJ'
      when p_customer.document_type = 'nif' and not c_is_abroad then 'must be another country: a NIF is of another country' end,
    'email', case when p_customer.email is not null then coalesce(invoicing.wrong_text(p_customer.email, 80), case when not platform.is_email(p_customer.email) then 'must be an e-mail address' end) end));
  if v_wrong = '{}' and c_address is not null then
    v_wrong := jsonb_strip_nulls(jsonb_build_object(
      'address.street', invoicing.wrong_text(c_address ->> 'street', 255),
      'address.number', invoicing.wrong_text(c_address ->> 'number', 60),
      'address.complement', invoicing.wrong_text(c_address ->> 'complement', 156),
      'address.district', invoicing.wrong_text(c_address ->> 'district', 60),
      'address.city_code', case when not c_is_abroad and invoicing.is_city_code(c_address ->> 'city_code') is not true then 'must be the code of a municipality (IBGE): seven digits, with a right check digit'
        else invoicing.wrong_text(c_address ->> 'city_code', 60) end,
      'address.postal_code', case when not c_is_abroad and (c_address ->> 'postal_code' ~ '^[0-9]{8}$') is not true then 'must be eight digits (CEP)'
        else invoicing.wrong_text(c_address ->> 'postal_code', 11) end));
  end if;
  perform platform.refuse_wrong_arguments(v_wrong);
end
$$;
comment on function invoicing.refuse_wrong_customer(invoicing.customers) is 'Raises 422 invalid_request for a customer that the layout of the NFS-e or the check digits refuse.';
revoke execute on function invoicing.refuse_wrong_customer(invoicing.customers) from public;
