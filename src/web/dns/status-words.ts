import { serviceWords } from "../site/service-words.ts";
import type { StatusWordsOf } from "../site/status-words.ts";

export const statusWords: StatusWordsOf = {
  en: {
    services: [
      {
        name: "dns",
        heading: serviceWords.en.dns.heading,
        ok: "Zones and their records can be changed.",
        part: "Zones can be changed. One of the nameservers is down or slow.",
        failed: "Changes may fail, or reach the nameservers late.",
      },
    ],
    parts: [
      {
        name: "nameservers",
        heading: "The nameservers",
        ok: "All of them answer for hosted domains.",
        some: "At least one of them is down or slow. The others answer for hosted domains, with every change.",
        none: "None of them receives changes right now. Hosted domains may not answer, or may answer with old records.",
      },
    ],
    components: [
      {
        name: "nameservers",
        heading: "The nameservers",
        whole: "None of them received changes.",
        part: "At least one of them was down or slow. The others answered for hosted domains.",
      },
    ],
  },
  "pt-BR": {
    services: [
      {
        name: "dns",
        heading: serviceWords["pt-BR"].dns.heading,
        ok: "Dá para mudar zonas e registros.",
        part: "Dá para mudar zonas. Um dos servidores DNS está fora do ar ou lento.",
        failed: "As mudanças podem falhar ou demorar a chegar aos servidores DNS.",
      },
    ],
    parts: [
      {
        name: "nameservers",
        heading: "Os servidores DNS",
        ok: "Todos respondem pelos domínios hospedados.",
        some: "Pelo menos um deles está fora do ar ou lento. Os outros respondem pelos domínios hospedados, já com cada mudança.",
        none: "Nenhum deles está recebendo mudanças agora. Os domínios hospedados podem não responder, ou responder ainda com os dados de antes.",
      },
    ],
    components: [
      {
        name: "nameservers",
        heading: "Os servidores DNS",
        whole: "Nenhum deles estava recebendo mudanças.",
        part: "Pelo menos um deles estava fora do ar ou lento. Os outros respondiam pelos domínios hospedados.",
      },
    ],
  },
};
