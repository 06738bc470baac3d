create or replace function signature.participant_record(p_participant signature.participants, p_credentials platform.credentials[]) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('envelope_id', p_participant.envelope_id, 'environment', p_participant.environment, 'credentials',
    coalesce(jsonb_agg(concat_ws(' ', encode(credential.digest, 'hex'), credential.scopes_from, credential.scopes,
      coalesce(platform.instant(credential.expires_at), '-'), coalesce(platform.instant(credential.revoked_at), '-')) order by credential.digest), '[]'))
  from unnest(p_credentials) as credential
$$;
comment on function signature.participant_record(signature.participants, platform.credentials[]) is
  'The link of a participant in the form that its digest covers: its credentials, those of earlier versions included. The record of the envelope has the participant.';
revoke execute on function signature.participant_record(signature.participants, platform.credentials[]) from public;
grant execute on function signature.participant_record(signature.participants, platform.credentials[]) to selo_system;
