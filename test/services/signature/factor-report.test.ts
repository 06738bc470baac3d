// Second factors in the evidence report, in both languages: what poppler reads and python3 recomputes, and the verifier's page has words for them.
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Worker, workerOf } from "../../support/compose-mails.ts";
import { complete, completing, type SentWith, sentWith } from "./completion-stage.ts";
import { contentOf } from "./envelope-stage.ts";
import { aHalfSession, answer, CPF } from "./factor-stage.ts";
import { setUpStage, stage } from "./own-stage.ts";
import { attachedOf, byPython, proseOf, readReport, reportOf } from "./report-stage.ts";
import { act } from "./signing-stage.ts";

setUpStage();
let worker: Worker;
beforeAll(() => {
  worker = workerOf(stage);
});
afterAll(() => worker.end());

const METHODS = ["cpf", "kba", "identity_match"] as const;
const SAID = {
  en: {
    cpf: /The CPF that the sender gave, typed on \S/,
    kba: /Questions about the person, answered on \S.*?; the provider calls this selo-test-provider:/,
    identity_match:
      /Name and number compared with an identity provider on \S.*?; the provider calls this selo-test-provider:/,
  },
  "pt-BR": {
    cpf: /CPF informado pelo remetente e digitado em \S/,
    kba: /Perguntas sobre a pessoa, respondidas em \S.*?; para o provedor, selo-test-provider:/,
    identity_match:
      /Nome e número comparados com um provedor de identidade em \S.*?; para o provedor, selo-test-provider:/,
  },
} as const;

/** Each of them passes the second factor and signs, and the envelope is completed. */
async function completed(language: keyof typeof SAID): Promise<SentWith> {
  const members = METHODS.map((auth_method) => ({ body: { auth_method, cpf: CPF } }));
  const sent = await sentWith(stage, members, { language });
  const answers = { street: "Rua D", bank: "Banco 3" };
  for (const [place, given] of [{ cpf: CPF }, { answers }, {}].entries()) {
    const link = sent.links[place];
    if (link === undefined) throw new Error("there are three");
    const session = await aHalfSession(stage, link);
    if (METHODS[place] === "kba") await act(stage, link, "GET", "/factor", { session });
    const { status, text } = await answer(stage, link, session, given);
    expect([status, text]).toEqual([200, text]);
    expect((await complete(stage, link, { session })).status).toBe(200);
  }
  await completing(stage, sent.id, worker);
  return sent;
}

describe.each(["en", "pt-BR"] as const)("%s", (language) => {
  test("the report says each factor, and python3 finds no fault in what is signed", async () => {
    const { id, documentId } = await completed(language);
    const { status, bytes } = await reportOf(stage, id);
    expect(status).toBe(200);
    const prose = proseOf(readReport(bytes));
    for (const method of METHODS) expect(prose).toMatch(SAID[language][method]);
    expect(prose).not.toContain("529.982.247-25");
    const attached = await attachedOf(stage, id);
    const steps = attached.records.map(({ payload }: { readonly payload: string }) =>
      JSON.parse(payload).authentication.map(({ method }: { readonly method: string }) => method),
    );
    expect(steps).toEqual(METHODS.map((method) => ["otp_email", method]));
    expect(await byPython(stage.selo, attached, contentOf(documentId, 2))).toMatchObject({ faults: [] });
  });
});

test.each([
  ["en", "words-en.ts"],
  ["ptBr", "words-pt-br.ts"],
])("the verifier's page names each factor: %s", async (language, file) => {
  // Imported while the tests run, because pages have the DOM's types, which are not known here.
  const folder = path.resolve(import.meta.dirname, "../../../src/web/verify/envelope");
  const { methods } = (await import(`${folder}/${file}`))[language].names;
  expect(new Set(METHODS.map((method) => methods[method])).size).toBe(METHODS.length);
  for (const method of METHODS) expect(methods[method]).toMatch(/^[A-Z]/);
});
