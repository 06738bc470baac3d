create or replace function signature.judge_rows(p_template signature.templates, p_rows jsonb, p_send boolean) returns setof signature.template_row
  language sql volatile set search_path = '' as $$
  with roster as materialized (
    select member.*, case when member.email is null then row_number() over (partition by member.email is null, member.order_index order by member.seat) end as nth,
      row_number() over (order by member.order_index, member.seat) as rank
    from rows from (jsonb_to_recordset(p_template.participants) as (role text, order_index integer, auth_method text, modality text, name text, email text))
      with ordinality as member (role, order_index, auth_method, modality, name, email, seat)
  ), given as materialized (
    select item.place::integer - 1 as place, item.value ->> 'title' as title, item.value -> 'recipients' as recipients, item.value -> 'wrong' as wrong
    from jsonb_array_elements(p_rows) with ordinality as item (value, place)
  ), recipient as materialized (
    select given.place, listed.*, row_number() over (partition by given.place, listed.order_index order by listed.at) as nth
    from given cross join lateral rows from (jsonb_to_recordset(coalesce(given.recipients, '[]')) as (order_index integer, name text, email text,
      participant_id uuid, cpf_mask text, enciphered_cpf text, ssn_last4_mask text, enciphered_ssn_last4 text, phone_mask text, enciphered_phone text,
      cpf_digest text, ssn_last4_digest text))
      with ordinality as listed (order_index, name, email, participant_id, cpf_mask, enciphered_cpf, ssn_last4_mask, enciphered_ssn_last4, phone_mask, enciphered_phone,
        cpf_digest, ssn_last4_digest, at)
  ), ids as materialized (
    select given.place, signature.ids_in_order(array_agg(filling.participant_id order by roster.rank)) as ids
    from given cross join roster
    left join recipient as filling on filling.place = given.place and filling.order_index = roster.order_index and filling.nth = roster.nth
    group by given.place
  ), participant as materialized (
    select given.place, roster.seat, roster.nth is not null as is_placeholder, filling.at, ids.ids[roster.rank] as id, coalesce(filling.name, roster.name) as name,
      coalesce(filling.email, roster.email) as email, roster.role, roster.order_index, roster.auth_method, roster.modality,
      filling.cpf_mask, filling.enciphered_cpf, filling.ssn_last4_mask, filling.enciphered_ssn_last4, filling.phone_mask, filling.enciphered_phone,
      filling.cpf_digest, filling.ssn_last4_digest
    from given cross join roster join ids on ids.place = given.place
    left join recipient as filling on filling.place = given.place and filling.order_index = roster.order_index and filling.nth = roster.nth
  ), fault as (
    select given.place, 1 as weight, 'invalid_request' as code, wrong.field, wrong.message
    from given cross join lateral jsonb_to_recordset(coalesce(given.wrong, '[]')) as wrong (field text, message text)
    union all
    select given.place, 1, 'invalid_request', 'title', signature.wrong_text(given.title, true) from given where signature.wrong_text(given.title, true) is not null
    union all
    select recipient.place, 1, 'invalid_request', format('recipients.%s.%s', recipient.at - 1, judged.member), judged.message
    from recipient
    cross join lateral (values
      ('name', signature.wrong_text(recipient.name, true)),
      ('email', case when not platform.is_email(recipient.email) or signature.wrong_text(recipient.email, true) is not null then 'must be an e-mail address' end)
    ) as judged (member, message)
    where judged.message is not null
    union all
    select participant.place, 2, 'template_participant_missing_recipient', 'recipients.' || participant.order_index,
      format('must have %s', array_to_string(array[case when participant.name is null then 'a name' end, case when participant.email is null then 'an e-mail address' end], ' and '))
    from participant where participant.name is null or participant.email is null
    union all
    select recipient.place, 3, 'invalid_request', format('recipients[%s].order_index', recipient.at - 1), 'has no placeholder left in the template'
    from recipient
    where not exists (select from roster where roster.order_index = recipient.order_index and roster.nth = recipient.nth)
    union all
    select given.place, case lack.code when 'envelope_not_sendable' then 4 else 5 end, lack.code, case
        when lack.participant_id is null then 'participants'
        when seated.is_placeholder then format('recipients.%s.%s', seated.order_index, lack.member)
        else format('participants.%s.%s', seated.seat - 1, lack.member) end, lack.message
    from given
    cross join lateral signature.seats_lack(p_template.signing_order, array(
      select row(participant.id, participant.role, participant.order_index, participant.auth_method, participant.modality,
        participant.cpf_mask is not null, participant.phone_mask is not null, participant.ssn_last4_mask is not null)::signature.seat
      from participant where participant.place = given.place)) as lack
    left join participant as seated on seated.place = given.place and seated.id = lack.participant_id
    where p_send
  ), verdict as (
    -- The first code tells, with all that has it. Two placeholders of one place are one field.
    select told.place, told.code, jsonb_agg(jsonb_build_object('field', told.field, 'message', told.message) order by told.field) as fields
    from (
      select distinct ranked.place, ranked.code, ranked.field, ranked.message
      from (select fault.*, min(fault.weight) over (partition by fault.place) as least from fault) as ranked
      where ranked.weight = ranked.least) as told
    group by told.place, told.code
  )
  select given.place, platform.uuidv7(), coalesce(given.title, p_template.title, p_template.name), (
    select jsonb_agg(to_jsonb(participant) order by participant.seat) from participant where participant.place = given.place),
    verdict.code, verdict.fields
  from given left join verdict on verdict.place = given.place
  order by given.place
$$;
comment on function signature.judge_rows(signature.templates, jsonb, boolean) is
  'Applies a template to rows [{title, recipients, wrong}] without making anything. Recipients fill placeholders by order_index, several of one place in the order of the roster. wrong has what TypeScript found wrong in the form of a row: [{field, message}]. The first of these codes tells: invalid_request (form and texts), template_participant_missing_recipient, invalid_request (no placeholder is left), and with p_send envelope_not_sendable, auth_method_unavailable.';
revoke execute on function signature.judge_rows(signature.templates, jsonb, boolean) from public;
