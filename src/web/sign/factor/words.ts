import type { Language } from "../../shell/language.ts";

interface FactorWords {
  readonly cpf: {
    readonly heading: string;
    readonly text: string;
    readonly label: string;
    readonly malformed: string;
    readonly wrong: string;
    readonly wrongOne: string;
    readonly hint: string;
    readonly help: string;
    readonly helpText: string;
  };
  readonly kba: {
    readonly heading: string;
    readonly lastHeading: string;
    readonly last: string;
    readonly place: string;
    readonly missing: string;
    readonly next: string;
    readonly before: string;
    readonly source: string;
    readonly sourceText: string;
    readonly again: string;
  };
  readonly match: { readonly heading: string; readonly text: string; readonly once: string };
  readonly submit: string;
}

/** Loaded with the step alone. Places: `{organization}`, `{sender}`, `{tries}`, `{place}`, `{of}`. */
export const WORDS: Readonly<Record<Language, FactorWords>> = {
  en: {
    cpf: {
      heading: "Confirm your CPF",
      text: "{organization} asks for this confirmation before the document is shown.",
      label: "CPF",
      malformed: "A CPF has 11 digits, such as 529.982.247-25.",
      wrong: "This is not the CPF of the request. {tries} tries are left.",
      wrongOne: "This is not the CPF of the request. One try is left.",
      hint: "It is only compared with the number that the sender gave. What you type is not kept.",
      help: "The number is right, and yet it is not accepted",
      helpText: "It may be wrong in the request. Before the tries are used up, ask {sender}, who can correct it.",
    },
    kba: {
      heading: "Answer to confirm that it is you",
      lastHeading: "Last questions",
      last: "The answers before were not enough. These are the last questions: if their answers are not enough either, the link is locked until the sender reminds you.",
      place: "Question {place} of {of}",
      missing: "Choose one of the answers.",
      next: "Next question",
      before: "Previous question",
      source: "Where these questions come from",
      sourceText:
        "From an identity provider, from public records. {organization} sees neither questions nor answers, and nothing of them is kept here.",
      again: "Show the questions",
    },
    match: {
      heading: "Confirm your identity",
      text: "{organization} asks for this confirmation before the document is shown. An identity provider compares your name and your number, as the sender gave them, with what it knows.",
      once: "The provider is asked once.",
    },
    submit: "Continue",
  },
  "pt-BR": {
    cpf: {
      heading: "Confirme o seu CPF",
      text: "{organization} pede esta confirmação antes de mostrar o documento.",
      label: "CPF",
      malformed: "O CPF tem 11 números, como 529.982.247-25.",
      wrong: "Não é o CPF que consta no pedido. Restam {tries} tentativas.",
      wrongOne: "Não é o CPF que consta no pedido. Resta uma tentativa.",
      hint: "Só comparamos com o número informado por quem enviou. O que você digita não fica guardado.",
      help: "O número está certo, mas não é aceito",
      helpText: "Ele pode estar errado no pedido. Antes de gastar as tentativas, avise {sender}, que pode corrigi-lo.",
    },
    kba: {
      heading: "Responda para confirmar que é você",
      lastHeading: "Últimas perguntas",
      last: "As respostas anteriores não bastaram. Esta é a última vez: se estas também não bastarem, o link fica bloqueado até quem enviou mandar um lembrete.",
      place: "Pergunta {place} de {of}",
      missing: "Escolha uma das respostas.",
      next: "Próxima pergunta",
      before: "Anterior",
      source: "De onde vêm estas perguntas",
      sourceText:
        "De um provedor de identidade, a partir de cadastros públicos. {organization} não vê as perguntas nem as respostas, e nada delas fica guardado aqui.",
      again: "Mostrar as perguntas",
    },
    match: {
      heading: "Confirme a sua identidade",
      text: "{organization} pede esta confirmação antes de mostrar o documento. Um provedor de identidade compara o seu nome e o seu número, informados por quem enviou, com o que conhece.",
      once: "A consulta é feita uma só vez.",
    },
    submit: "Continuar",
  },
};
