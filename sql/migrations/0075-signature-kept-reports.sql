-- Dossiers keep the reports that they need, too.
comment on table signature.envelope_reports is 'Evidence reports of envelopes that have ended, kept once a package was delivered or a dossier asked for. A row lives 90 days.';
