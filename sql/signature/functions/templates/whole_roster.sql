create or replace function signature.whole_roster(p_participants jsonb) returns jsonb
  language plpgsql immutable strict set search_path = '' as $$
declare
  v_participant jsonb;
  v_highest integer := 0;
  v_roster jsonb := '[]';
begin
  for v_participant in select given.value from jsonb_array_elements(p_participants) as given loop
    v_participant := jsonb_build_object('role', coalesce(v_participant ->> 'role', 'signatario'),
      'order_index', coalesce((v_participant ->> 'order_index')::integer, v_highest + 1),
      'auth_method', coalesce(v_participant ->> 'auth_method', 'email'), 'modality', coalesce(v_participant ->> 'modality', 'avancada'),
      'name', v_participant -> 'name', 'email', v_participant -> 'email');
    v_highest := greatest(v_highest, (v_participant ->> 'order_index')::integer);
    v_roster := v_roster || v_participant;
  end loop;
  return v_roster;
end
$$;
comment on function signature.whole_roster(jsonb) is
  'Participants of a template with the defaults of envelopes. A participant without order_index gets the highest place so far plus one, so that a recipient can name each placeholder.';
revoke execute on function signature.whole_roster(jsonb) from public;
