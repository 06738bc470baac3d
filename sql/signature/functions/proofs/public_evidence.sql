create or replace function signature.public_evidence(p_evidence text) returns json
  language plpgsql immutable security definer set search_path = '' as $$
declare
  v_evidence jsonb;
  v_hidden text[];
begin
  v_evidence := p_evidence::jsonb;
  if jsonb_typeof(v_evidence) <> 'object' then
    return '{}';
  end if;
  v_hidden := array(
    select member from unnest(array['file_name', 'file_size']) as member where v_evidence ->> member is not null);
  return case
    when cardinality(v_hidden) = 0 then p_evidence::json
    else platform.canonical_json(v_evidence - v_hidden)::json
  end;
exception when data_exception then
  -- The text was edited. An unreadable text may hold members that are not public.
  return '{}';
end
$$;
comment on function signature.public_evidence(text) is
  'Signed evidence for the public: without the file''s name and size, unless they are null. An empty object for a text that is not evidence.';
revoke execute on function signature.public_evidence(text) from public;
-- A view runs its functions with the rights of the reader.
grant execute on function signature.public_evidence(text) to selo_app, selo_analyst;
