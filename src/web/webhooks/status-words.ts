import { serviceWords } from "../site/service-words.ts";
import type { StatusWordsOf } from "../site/status-words.ts";

export const statusWords: StatusWordsOf = {
  en: {
    services: [
      {
        name: "webhooks",
        heading: serviceWords.en.webhooks.heading,
        ok: "Every event is recorded for delivery. Whether your address answers is not checked here.",
        failed: "Events may be late. What was recorded is delivered afterwards.",
      },
    ],
  },
  "pt-BR": {
    services: [
      {
        name: "webhooks",
        heading: serviceWords["pt-BR"].webhooks.heading,
        ok: "Cada evento fica registrado para a entrega. Aqui não se testa se o seu endereço responde.",
        failed: "Os avisos podem atrasar. O que foi registrado é entregue depois.",
      },
    ],
  },
};
