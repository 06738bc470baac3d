/**
 * The words of the product, in both languages: one word for one thing. test/surfaces/web/words.test.ts finds words that pages, mails and
 * receipts must not use. Exempt is what developers read: the guides, the API's documents (/docs, /graphiql), messages of errors and code.
 */

interface Term {
  readonly en: string;
  readonly ptBR: string;
  readonly meaning: string;
}

/** Names of things. */
export const TERMS: readonly Term[] = [
  { en: "proof", ptBR: "prova", meaning: "what Selo states about a file, with two signatures" },
  { en: "register", ptBR: "registrar", meaning: "to have Selo make a proof of a file" },
  {
    en: "registered by Acme",
    ptBR: "registrado por Acme",
    meaning: "which organization had the proof made; never `de`, `da` or `do` before its name",
  },
  { en: "verify", ptBR: "verificar", meaning: "the one verb for looking whether a proof holds" },
  {
    en: "verification code",
    ptBR: "código de verificação",
    meaning: "the twelve letters and digits by which a proof is found",
  },
  {
    en: "fingerprint (SHA-256)",
    ptBR: "impressão digital do arquivo (SHA-256)",
    meaning: "64 digits computed from the bytes of a file",
  },
  {
    en: "date and time",
    ptBR: "data e hora",
    meaning: "when a file was registered, always with its zone: UTC, or horário de Brasília",
  },
  { en: "receipt", ptBR: "recibo", meaning: "the PDF with everything that a stranger needs except the file" },
  {
    en: "signature",
    ptBR: "assinatura",
    meaning: "one of the two that protect a proof; on /trust also one of a person, as the law means it",
  },
  { en: "public key", ptBR: "chave pública", meaning: "with it anyone verifies our signatures" },
  {
    en: "keep the keys",
    ptBR: "guardar as chaves",
    meaning: "to copy the public keys to a place that we cannot change",
  },
  { en: "record", ptBR: "registro", meaning: "everything that is registered here, and every change" },
  { en: "organization", ptBR: "organização", meaning: "a customer of the deployment" },
  { en: "test proof", ptBR: "prova de teste", meaning: "a proof made with a test token: it proves nothing to anybody" },
  {
    en: "Matches",
    ptBR: "Confere",
    meaning: "verdict: it is what was registered; of signatures, Match and Conferem. Used for nothing else",
  },
  { en: "Does not match", ptBR: "Não confere", meaning: "verdict: it is another file. Used for nothing else" },
  { en: "Pending", ptBR: "Pendente", meaning: "verdict: something is still missing. Used for nothing else" },
  { en: "Service status", ptBR: "Situação do serviço", meaning: "whether the service works now" },
];

interface Avoided {
  /** The word in its forms, in either language. */
  readonly pattern: RegExp;
  readonly word: string;
  /** What to say in its place. */
  readonly say: string;
}

/** Words that pages for the public, mails and receipts do not use. */
export const NOT_IN_PAGES: readonly Avoided[] = [
  {
    word: "digest",
    pattern: /\b(digests?|resumos? (criptográficos?|(do|de|deste|desse) arquivo))\b/i,
    say: "fingerprint (SHA-256), impressão digital do arquivo (SHA-256)",
  },
  {
    word: "hash",
    pattern: /\bhash(es|ed|ing|e[ai]\w*)?\b/i,
    say: "fingerprint (SHA-256), impressão digital do arquivo (SHA-256)",
  },
  { word: "instant", pattern: /\b(instants?|instantes?)\b/i, say: "date and time, data e hora" },
  { word: "pin", pattern: /\b(un)?pin(s|ned|ning|ar|ad[ao]s?)?\b/i, say: "keep the keys, guardar as chaves" },
  {
    word: "canonical",
    pattern: /\b(canonical\w*|can[oô]nic[oa]s?)\b/i,
    say: "in the required form, na forma exigida",
  },
  {
    word: "seal as a verb",
    // Letters with accents are no letters to \b.
    pattern:
      /(?<!\p{L})(sealed|sealing|sela(r|do|da|dos|das|mos|ram|ndo|rá|rão|ria)|selou|selem|(to|we|they|both|keys|that|which|who|it|selo|service|organi[sz]ation|will|can) seals?)(?!\p{L})/iu,
    say: "sign, assinar",
  },
  // Phrases that pages used to say: one of them coming back would say the same thing in two ways.
  { word: "under two signatures", pattern: /\bsob duas assinaturas\b/i, say: "com duas assinaturas digitais" },
  {
    word: "one's part",
    pattern: /\b(fez|faz|fazem|fizeram) a sua parte\b/i,
    say: "já assinou, já aprovou, já confirmou, já leu",
  },
  { word: "see again", pattern: /\bVer de novo\b/, say: "Atualizar" },
  { word: "name servers", pattern: /\bservidor(es)? de nomes\b/i, say: "servidores DNS" },
  {
    word: "fit the record",
    pattern: /\b(does not fit|fits?) the record\b|\bcombina com o registro\b/i,
    say: "matches the record, confere com o registro",
  },
  {
    word: "who doubts",
    pattern: /\b(the person who doubts|computador de quem duvida)\b/i,
    say: "your own computer, o seu próprio computador",
  },
  { word: "Hand on", pattern: /\bHand (it )?on\b/, say: "Pass it on" },
  { word: "status of the service", pattern: /\bstatus of the service\b/i, say: "Service status" },
  { word: "the law knows", pattern: /\ba lei( brasileira)? conhece\b/i, say: "a lei brasileira prevê" },
  {
    word: "no lawyer has read this",
    pattern: /\b(no lawyer has read this|nenhum advogado leu este texto)\b/i,
    say: "this is our own reading, esta é a nossa própria leitura",
  },
  { word: "(in English)", pattern: /\(em inglês\)/i, say: "so in the footer, once" },
  {
    word: "anyone checks",
    pattern: /\b(anyone checks|qualquer pessoa confere)\b/i,
    say: "anyone verifies, qualquer pessoa verifica",
  },
];

/** Words that signers do not use either: those of the API and of its tokens. Pages and mails of signers say none of all these. */
export const NOT_FOR_SIGNERS: readonly Avoided[] = [
  ...NOT_IN_PAGES,
  { word: "envelope", pattern: /\benvelopes?\b/i, say: "document or request, documento ou pedido" },
  { word: "environment", pattern: /\b(environments?|ambientes?)\b/i, say: "test, teste" },
  { word: "token", pattern: /\btokens?\b/i, say: "link, code; link, código" },
];
