import type { WordsOf } from "../words-of.ts";

const en = {
  title: "Your account",
  lead: "The same in all your organizations, live and in test.",
  you: "You",
  youText: "Shown in the audit trail and to the members of your organizations.",
  name: "Name",
  language: "Language",
  email: "E-mail",
  emailHint: "The e-mail does not change. To use another one, ask for an invitation to it.",
  organizations: "Organizations",
  organizationsText: "What you may do in each.",
  here: "this one",
  go: "Open",
};
const ptBr: WordsOf<typeof en> = {
  title: "Sua conta",
  lead: "Vale para todas as suas organizações, em produção e em teste.",
  you: "Você",
  youText: "Aparece na auditoria e para os membros das suas organizações.",
  name: "Nome",
  language: "Idioma",
  email: "E-mail",
  emailHint: "O e-mail não muda. Para usar outro, peça um convite para ele.",
  organizations: "Organizações",
  organizationsText: "O que você pode fazer em cada uma.",
  here: "esta",
  go: "Abrir",
};
export const accountWords = { en, "pt-BR": ptBr };
