// What the pages and receipts say: nothing alarming that reads like something harmless, and one word for one thing.
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { receiptTexts } from "../../src/adapters/pdf/receipt-texts.ts";

type Language = "en" | "pt-BR";
/** As far as these tests read them; src/web/verify/words.ts has the DOM's types, which are not known here. */
interface Words {
  readonly verdicts: Readonly<
    Record<string, { readonly state: string; readonly sentence: string; readonly lead: string }>
  >;
  readonly results: Readonly<Record<string, string>>;
  readonly details: Readonly<Record<string, string>>;
}

/** Words of the trade, which pages for the public do without. */
const TRADE: Readonly<Record<Language, RegExp>> = {
  en: /\b(digests?|instants?|pin(?:s|ned)?|canonical|hash(?:es|ed|ing)?|seal(?:s|ed)?)\b/i,
  "pt-BR": /\b(digest|hash|resumo|can[oô]nic[oa]|selad[oa]s?|sela[mr]?|instante exato)\b/i,
};

/** Every text, and the member that holds it. */
function textsIn(value: unknown, name = ""): [name: string, text: string][] {
  if (typeof value === "string") return [[name, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([member, each]) => textsIn(each, `${name}.${member}`));
}

const placesIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

const words = {} as Record<Language, Words>;
beforeAll(async () => {
  const folder = path.resolve(import.meta.dirname, "../../src/web/verify");
  words.en = (await import(`${folder}/words-en.ts`)).en;
  words["pt-BR"] = (await import(`${folder}/words-pt-br.ts`)).ptBr;
});

/** What the page of an envelope says of a participant who has finished, by the role. */
const DONE: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    signatario: "has signed",
    aprovador: "has approved",
    testemunha: "has confirmed",
    observador: "has read it",
  },
  "pt-BR": {
    signatario: "já assinou",
    aprovador: "já aprovou",
    testemunha: "já confirmou",
    observador: "já leu",
  },
};

test.each<Language>(["en", "pt-BR"])("each role has its own word for having finished, in %s", async (language) => {
  const folder = path.resolve(import.meta.dirname, "../../src/web/verify/envelope");
  const { acts } =
    language === "en" ? (await import(`${folder}/words-en.ts`)).en : (await import(`${folder}/words-pt-br.ts`)).ptBr;
  const { actOf } = await import(`${folder}/act-of.ts`);
  const said = Object.keys(DONE[language]).map((role) => [role, actOf(acts, { status: "completed", role })]);
  expect(Object.fromEntries(said)).toEqual(DONE[language]);
  expect(actOf(acts, { status: "declined", role: "testemunha" })).toBe(acts.declined);
  expect(actOf(acts, { status: "unheard", role: "testemunha" })).toBeNull();
});

describe.each<Language>(["en", "pt-BR"])("%s", (language) => {
  test("verdicts are told apart by their words, and a word of a result means one thing", () => {
    const { verdicts, results } = words[language];
    const said = Object.values(verdicts).map(({ state, sentence, lead }) => `${state} ${sentence} ${lead}`);
    // Verified is verified: whose keys it was is said below.
    expect(new Set(said).size).toBe(said.length - 1);
    const { ok, bad, info } = results;
    expect(new Set(Object.values(results)).size).toBe(Object.keys(results).length);
    const good = Object.entries(verdicts).filter(([, { state }]) => state === ok);
    expect(good.map(([kind]) => kind)).toEqual(["verified", "verified_here"]);
    const failed = Object.entries(verdicts).filter(([, { state }]) => state === bad);
    expect(failed.map(([kind]) => kind).sort()).toEqual(
      ["altered", "different_file", "foreign_keys", "other_code", "record_at_fault", "untrusted_keys"].sort(),
    );
    expect(verdicts["on_record"]?.state.startsWith(info ?? "")).toBe(true);
  });

  test("no text has words of the trade", () => {
    const found = textsIn(words[language]).filter(([, text]) => TRADE[language].test(text.replace("ML-DSA", "")));
    expect(found).toEqual([]);
  });

  test("each text has the same places for facts as in the other language", () => {
    const other = new Map(textsIn(words[language === "en" ? "pt-BR" : "en"]));
    const own = textsIn(words[language]);
    expect(own.map(([name]) => name)).toEqual([...other.keys()]);
    for (const [name, text] of own) expect([name, placesIn(text)]).toEqual([name, placesIn(other.get(name) ?? "")]);
  });

  test("the page and the receipt have one word for one thing", () => {
    const { organization, label, noLabel, fileName, code, digest } = words[language].details;
    const same = { organization, label, noLabel, fileName, code, fingerprint: digest };
    expect(receiptTexts[language]).toMatchObject(same);
  });
});
