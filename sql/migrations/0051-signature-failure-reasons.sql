-- Why an envelope failed. Envelopes that failed before have no reason in their row: the answers say completion_failed.
alter table signature.envelopes add column failure_reason text;
-- squawk-ignore constraint-missing-not-valid
alter table signature.envelopes add constraint envelopes_failure_reason_check check (failure_reason in ('unsealable', 'completion_failed'));
comment on column signature.envelopes.failure_reason is 'Why the completion failed: unsealable or completion_failed. Null unless the envelope has failed, and for one that failed before this column was there.';

update webhooks.event_kinds
set description = 'Everybody has finished, but the final documents could not be made.',
  data_schema = '{"type": "object", "required": ["envelope_id", "status", "external_id", "failure_reason"], "properties": {"envelope_id": {"type": "string", "format": "uuid", "description": "The envelope; also the event''s resource_id."}, "status": {"type": "string", "description": "Status of the envelope after the event."}, "external_id": {"type": ["string", "null"], "description": "Id of the envelope in a system of yours."}, "failure_reason": {"type": "string", "description": "unsealable: a document cannot be sealed. completion_failed: anything else, for which the completion was tried again and again. Later versions may add reasons."}}}'
where name = 'envelope.failed';
