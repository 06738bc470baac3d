// What the pages and receipts say: nothing alarming that reads like something harmless, and one word for one thing.
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { receiptTexts } from "../../src/adapters/pdf/receipt-texts.ts";

type Language = "en" | "pt-BR";
/** As far as these tests read them; src/web/verify/words.ts has the DOM's types, which are not known here. */
interface Words {
  readonly verdicts: Readonly<Record<string, { readonly title: string }>>;
  readonly checks: { readonly results: Readonly<Record<string, string>> };
  readonly summary: Readonly<Record<string, string>>;
}

const words = {} as Record<Language, Words>;
beforeAll(async () => {
  const folder = path.resolve(import.meta.dirname, "../../src/web/verify");
  words.en = (await import(`${folder}/words-en.ts`)).en;
  words["pt-BR"] = (await import(`${folder}/words-pt-br.ts`)).ptBr;
});

describe.each<Language>(["en", "pt-BR"])("%s", (language) => {
  test("verdicts and results of checks are told apart by their words", () => {
    const { verdicts, checks } = words[language];
    // Verified is verified: whose keys it was is said below.
    const { verified_here, ...others } = verdicts;
    expect(verified_here?.title).toBe(others["verified"]?.title);
    const said = Object.values(others)
      .map(({ title }) => title)
      .concat(Object.values(checks.results));
    expect(new Set(said.map((each) => each.toLowerCase())).size).toBe(said.length);
  });

  test("the page and the receipt have one word for one thing", () => {
    const { noLabel, fileName, code } = words[language].summary;
    expect(receiptTexts[language]).toMatchObject({ noLabel, fileName, code });
  });
});
