-- Words of errors, events and comments that read more easily. Codes, names and meanings stay.

update platform.error_codes as known set meaning = said.meaning
from (values
  ('unprocessable_pdf', 'Selo cannot read the file: it is not a PDF, is damaged or encrypted, or has no page or too many pages. Nothing was stored.'),
  ('zone_exists', 'The domain is already registered in the service. Or it would get the nameservers of its earlier owner, for 30 days, or nameservers to which it is already delegated.'),
  ('confirm_required', 'The request can cause an outage and needs `confirm` true.'),
  ('import_invalid', 'The zone file cannot be read. detail names the line and the column.'),
  ('record_invalid', 'The record is invalid. detail says why.'),
  ('record_conflict', 'The records of a name conflict. For example, a CNAME shares its name with another record.'),
  ('dnssec_enabled', 'The zone is already signed.'),
  ('rotation_in_progress', 'The zone already has two keys.'),
  ('envelope_not_sendable', 'Something that sending needs is missing. fields names everything that is missing.'),
  ('internal_error', 'An error on our side. The request id identifies it in our logs.')
) as said (code, meaning)
where known.code = said.code;

update webhooks.event_kinds set description = 'A zone is no longer signed.' where name = 'zone.dnssec_disabled';
update webhooks.event_kinds
set description = 'The parent of an active zone publishes DS records, but none belongs to a key of the zone: validating resolvers refuse its answers.'
where name = 'zone.chain_broken';
update webhooks.event_kinds set data_schema = replace(data_schema::text, 'in a system of yours', 'in your own system')::json
where data_schema::text like '%in a system of yours%';

comment on table dns.records is 'Records of zones. The NS and SOA records at the apex follow from the zone and are not stored here.';
comment on column dns.records.disabled is 'If true, the record is stored but not served.';
