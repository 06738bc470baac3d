create or replace function invoicing.refuse_problems(p_invoice invoicing.invoices) returns void
  language plpgsql stable set search_path = '' as $$
declare
  v_found record;
begin
  select (array_agg(problem.code order by problem.place))[1] as code, (array_agg(problem.message order by problem.place))[1] as message,
      jsonb_agg(jsonb_build_object('field', problem.field, 'message', problem.message) order by problem.place) as fields
    into v_found
  from invoicing.problems_of(p_invoice) as problem where problem.severity = 'error';
  case v_found.code
    when 'municipal_code_required' then perform platform.fail(422, 'municipal_code_required', v_found.message, v_found.fields);
    when 'provider_not_ready' then perform platform.fail(422, 'provider_not_ready', v_found.message, v_found.fields);
    when 'competence_in_future' then perform platform.fail(422, 'competence_in_future', v_found.message, v_found.fields);
    when 'invalid_reference' then perform platform.fail(422, 'invalid_reference', v_found.message, v_found.fields);
    else
      if v_found.code is not null then
        perform platform.fail(422, 'invalid_request', v_found.message, v_found.fields);
      end if;
  end case;
end
$$;
comment on function invoicing.refuse_problems(invoicing.invoices) is
  'Refuses an invoice that cannot be transmitted: 422 with the code of the first problem where the API has one, otherwise invalid_request. fields names all.';
revoke execute on function invoicing.refuse_problems(invoicing.invoices) from public;
