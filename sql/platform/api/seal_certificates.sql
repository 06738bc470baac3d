create view api.seal_certificates as
select
  made.certificate_id,
  replace(encode(made.certificate, 'base64'), E'\n', '') as certificate,
  made.environment,
  made.not_before,
  made.not_after,
  made.status,
  made.created_at,
  made.retired_at
from platform.seal_certificates as made;
comment on view api.seal_certificates is E'@anyone\n@primaryKey certificate_id\n@foreignKey (environment) references platform.environments (name)\n@foreignKey (status) references platform.platform_key_statuses (name)\nThe certificates that seal PDFs, active and retired. A PDF reader compares a seal with them. The list is public.';
comment on column api.seal_certificates.certificate_id is E'@notNull\nName of the certificate: the kind of its key and the first bytes of SHA-256 of the certificate.';
comment on column api.seal_certificates.certificate is E'@notNull\n@format base64\nThe X.509 certificate: base64 of its DER. To read it with tools, put it between the lines of PEM.';
comment on column api.seal_certificates.environment is E'@notNull\nWhether the certificate seals live or test documents.';
comment on column api.seal_certificates.not_before is E'@notNull\nStart of the certificate''s validity (UTC).';
comment on column api.seal_certificates.not_after is E'@notNull\nEnd of the certificate''s validity (UTC).';
comment on column api.seal_certificates.status is E'@notNull\nWhether the certificate still seals.';
comment on column api.seal_certificates.created_at is E'@notNull\nWhen the certificate was created (UTC).';
comment on column api.seal_certificates.retired_at is 'When the certificate stopped sealing (UTC). Null for an active certificate.';
grant select on api.seal_certificates to selo_app, selo_analyst;
