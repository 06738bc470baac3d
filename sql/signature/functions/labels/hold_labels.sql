create or replace function signature.hold_labels(p_envelope_id uuid, p_ids uuid[] default '{}') returns uuid[]
  language sql volatile set search_path = '' as $$
  select coalesce(array_agg(held.id), '{}')
  from (
    select label.id from signature.labels as label
    where label.tenant_id = platform.tenant_id() and label.environment = platform.environment()
      and label.id = any (p_ids || array(
        select linked.label_id from signature.envelope_labels as linked
        where linked.tenant_id = platform.tenant_id() and linked.envelope_id = p_envelope_id))
    order by label.id for key share
  ) as held
$$;
comment on function signature.hold_labels(uuid, uuid[]) is
  'Keeps these labels and those of an envelope, which the transaction has locked, from being removed meanwhile. Answers the ids of those that exist.';
revoke execute on function signature.hold_labels(uuid, uuid[]) from public;
