create or replace function invoicing.invoice_json(p_id uuid) returns json
  -- plpgsql, because the wire form of the view is made later than this function.
  language plpgsql stable set search_path = '' as $$
begin
  return (select gateway.invoices_whole_json(answer) from api.invoices as answer where answer.id = p_id);
end
$$;
comment on function invoicing.invoice_json(uuid) is 'An invoice as REST answers it, with its events and their chain.';
revoke execute on function invoicing.invoice_json(uuid) from public;
