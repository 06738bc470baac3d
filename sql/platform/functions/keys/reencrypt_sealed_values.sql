create or replace function platform.reencrypt_sealed_values(p_table text, p_column text, p_old bytea[], p_new bytea[]) returns integer
  language plpgsql volatile set search_path = '' as $$
declare
  v_replaced integer;
begin
  -- A rotation of platform keys locks its whole table: this waits for the rotation before it holds a row. Requests do not wait, because who holds a row
  -- of the table may still write to the table. A second run waits for rows of the first, and then finds their values already replaced.
  execute format('lock table %s in row exclusive mode', p_table::regclass);
  v_replaced := platform.replace_sealed_values(p_table, p_column, p_old, p_new);
  if v_replaced > 0 then
    perform platform.enter_context('00000000-0000-0000-0000-000000000000', 'live', null, null, null);
    perform platform.record_audit_event('master_key.rotated', 'platform', '00000000-0000-0000-0000-000000000000', jsonb_build_object(
      'column', p_table || '.' || p_column, 'values', v_replaced,
      'master_key_ids', (select string_agg(distinct encode(substring(made.value from 2 for 4), 'hex'), ' ') from unnest(p_new) as made (value)),
      'former_master_key_ids', (select string_agg(distinct encode(substring(made.value from 2 for 4), 'hex'), ' ') from unnest(p_old) as made (value))));
    perform platform.enter_context(null, null, null, null, null);
  end if;
  return v_replaced;
end
$$;
comment on function platform.reencrypt_sealed_values(text, text, bytea[], bytea[]) is
  'One batch of a rotation of the master key, with its audit event: replaces values of a sealed column by the same secrets, sealed under another master key. Answers the number of replaced values.';
revoke execute on function platform.reencrypt_sealed_values(text, text, bytea[], bytea[]) from public;
