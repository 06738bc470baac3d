import type { Asked, MatchProvider, QuestionProvider } from "./contracts.ts";

const QUESTIONS: Asked["questions"] = [
  { id: "street", text: "Rua onde já morou? / A street you lived in?", choices: ["Rua A", "Rua B", "Rua C", "Rua D"] },
  { id: "bank", text: "Banco que já usou? / A bank you used?", choices: ["Banco 1", "Banco 2", "Banco 3"] },
];

const referenceOf = (id: string) => `selo-test-provider:${id}`;

/** The provider of the test environment: nobody is asked. The right choice is the last one, and a name that contains "mismatch" does not match. */
export const testProvider: QuestionProvider & MatchProvider = {
  ask: async (id) => ({ reference: referenceOf(id), questions: QUESTIONS }),
  judge: async (_id, _asked, answers) => QUESTIONS.every(({ id, choices }) => answers[id] === choices.at(-1)),
  match: async (id, { name }) => ({ reference: referenceOf(id), match: !/mismatch/i.test(name) }),
};
