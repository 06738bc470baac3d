create or replace function signature.gives_copies(p_envelope signature.envelopes) returns boolean
  language sql stable set search_path = '' as $$
  select p_envelope.status = 'completed' and clock_timestamp() < signature.copies_until(p_envelope)
$$;
comment on function signature.gives_copies(signature.envelopes) is
  'Whether the links of an envelope lead to the sealed documents now.';
revoke execute on function signature.gives_copies(signature.envelopes) from public;
