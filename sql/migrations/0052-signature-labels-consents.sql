-- ── Labels of fields ─────────────────────────────────────────────────────────────────────────────────────────────
alter table signature.fields add column label text;
-- squawk-ignore constraint-missing-not-valid
alter table signature.fields add constraint fields_label_check check (char_length(label) between 1 and 60);
comment on column signature.fields.label is 'What the field is called, shown to the participant and in the evidence report. Null for a field without a label.';

-- ── Consent that says "request" ──────────────────────────────────────────────────────────────────────────────────
-- The texts of before stay: records name them by version and digest.
update signature.consents set is_current = false;
insert into signature.consents (jurisdiction, language, version, body, is_current)
select regime.name, consent.language, regime.name || '-2026-12', consent.body, true
from (values
  ('intl', 'en',
    'I have read the documents of this request. I agree to act on them electronically, and that my electronic act counts as my own. As evidence, my name, my e-mail address, my network address, my browser, the time and the way in which I proved who I am are recorded and kept with the documents. I can ask the sender for a copy at any time.'),
  ('intl', 'pt-BR',
    'Li os documentos deste pedido. Concordo em praticar este ato por meio eletrônico e reconheço que ele vale como ato meu. Como prova, ficam registrados e guardados com os documentos o meu nome, o meu e-mail, o meu endereço de rede, o meu navegador, o horário e a forma como confirmei a minha identidade. Posso pedir uma cópia a quem enviou a qualquer momento.'),
  ('us', 'en',
    'I have read the documents of this request. I agree to use electronic records and signatures for them, and that my electronic signature has the same effect as a handwritten one. I can open PDF files on this device and keep a copy of them. I may ask the sender for a paper copy, and I may withdraw this consent before I sign by declining. As evidence, my name, my e-mail address, my network address, my browser, the time and the way in which I proved who I am are recorded and kept with the documents.'),
  ('us', 'pt-BR',
    'Li os documentos deste pedido. Concordo em usar registros e assinaturas eletrônicos para eles e reconheço que a minha assinatura eletrônica tem o mesmo efeito de uma assinatura de próprio punho. Consigo abrir arquivos PDF neste aparelho e guardar uma cópia deles. Posso pedir uma cópia em papel a quem enviou e posso retirar este consentimento antes de assinar, recusando o pedido. Como prova, ficam registrados e guardados com os documentos o meu nome, o meu e-mail, o meu endereço de rede, o meu navegador, o horário e a forma como confirmei a minha identidade.')
) as consent (regime, language, body)
-- br reads word for word as intl, under a version of its name.
join platform.jurisdictions as regime on regime.name = consent.regime or consent.regime = 'intl' and regime.name = 'br';
