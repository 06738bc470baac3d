create or replace function signature.pay_rows(p_template signature.templates, p_rows signature.template_row[]) returns signature.template_row[]
  language sql stable set search_path = '' as $$
  with need as (
    -- Rows of one template cost the same.
    select price.kind, price.amount * case price.kind when 'icp_brasil' then cost.icp_brasil else cost.signature end as credits
    from signature.seats_cost(array(
      select row(null, member.role, null, null, member.modality, null, null, null)::signature.seat
      from jsonb_to_recordset(p_template.participants) as member (role text, modality text))) as cost
    join platform.prices as price on price.action = 'envelope.sent'
  ), reach as materialized (
    select need.kind, coalesce(sum(held.balance), 0) / need.credits as rows
    from need left join platform.credit_balances as held on held.tenant_id = platform.tenant_id() and held.kind = need.kind
    where need.credits > 0 group by need.kind, need.credits
  )
  select array_agg(case
      when judged.code is null and judged.nth > least.rows
        then row(judged.place, judged.envelope_id, judged.title, judged.participants, least.code, null)::signature.template_row
      else row(judged.place, judged.envelope_id, judged.title, judged.participants, judged.code, judged.fields)::signature.template_row end order by judged.place)
  from (select every.*, row_number() over (partition by every.code is null order by every.place) as nth from unnest(p_rows) as every) as judged
  left join lateral (
    select trunc(reach.rows) as rows, case reach.kind when 'icp_brasil' then 'insufficient_icp_credits' else 'insufficient_credits' end as code
    from reach order by trunc(reach.rows), reach.kind limit 1) as least on true
$$;
comment on function signature.pay_rows(signature.templates, signature.template_row[]) is
  'Rows, with insufficient_credits or insufficient_icp_credits for those that the balances do not reach, as they are now: rows are paid in their order, with credits of both kinds or none.';
revoke execute on function signature.pay_rows(signature.templates, signature.template_row[]) from public;
