create or replace function invoicing.refuse_future(p_invoice invoicing.invoices) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if p_invoice.competence_date > invoicing.today() then
    perform platform.fail(422, 'competence_in_future', 'The competence date is after today.',
      '[{"field": "competence_date", "message": "must not be after today, in the time zone of the organization"}]');
  end if;
end
$$;
comment on function invoicing.refuse_future(invoicing.invoices) is 'Refuses an invoice, also a draft, of a day that has not come: 422 competence_in_future.';
revoke execute on function invoicing.refuse_future(invoicing.invoices) from public;
