-- Inlined, because previews and lists ask it several times for each invoice: a call costs more than the sums. So its body is parsed when it is made.
create or replace function invoicing.amounts_of(p_invoice invoicing.invoices)
  returns table (iss_base numeric, iss_amount numeric, iss_withheld_amount numeric, withheld_total numeric, net_amount numeric)
  language sql immutable
begin atomic
  select base.amount, iss.amount, withheld.iss, withheld.total,
    p_invoice.amount_services - p_invoice.discount_unconditional - p_invoice.discount_conditional - withheld.total
  from (select greatest(p_invoice.amount_services - p_invoice.discount_unconditional - p_invoice.deductions, 0.00)::numeric(17,2) as amount) as base
  -- Half a cent is rounded up. Nothing is due of what is immune, exported or not taxed.
  cross join lateral (
    select case when p_invoice.service ->> 'iss_taxation' = '1' then round(base.amount * p_invoice.iss_rate / 100, 2) else 0.00 end as amount) as iss
  cross join lateral (
    select given.iss, given.iss + p_invoice.pis_amount + p_invoice.cofins_amount + p_invoice.inss_amount + p_invoice.ir_amount + p_invoice.csll_amount
      + p_invoice.other_withholdings as total
    from (select case when p_invoice.iss_withheld then iss.amount else 0.00 end as iss) as given) as withheld;
end;
comment on function invoicing.amounts_of(invoicing.invoices) is
  'What an invoice comes to: the base of ISS (services less the unconditional discount and deductions), ISS (the base times the rate, half up), what the customer withholds, and the net amount (services less both discounts and what is withheld). No other function computes amounts.';
revoke execute on function invoicing.amounts_of(invoicing.invoices) from public;
-- The view api.invoices calls it as whoever reads the view.
grant execute on function invoicing.amounts_of(invoicing.invoices) to selo_app, selo_analyst;
