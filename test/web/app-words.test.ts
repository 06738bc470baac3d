// What the dashboard says in each language: the same facts in the same places, and the words that were agreed on.
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

const APP = path.resolve(import.meta.dirname, "../../src/web/app");

/** Every text, and the member that holds it. */
function textsIn(value: unknown, name = ""): [name: string, text: string][] {
  if (typeof value === "string") return [[name, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([member, each]) => textsIn(each, `${name}.${member}`));
}

interface Spoken {
  readonly en: unknown;
  readonly "pt-BR": unknown;
}

/** The words of the frame, and of each area, by the name of the folder. */
async function allWords(): Promise<[area: string, words: Spoken][]> {
  const areas = fs.readdirSync(APP).filter((name) => fs.existsSync(path.join(APP, name, "words.ts")));
  const found = areas.map(async (name): Promise<[string, Spoken]> => {
    const [words] = Object.values((await import(`${APP}/${name}/words.ts`)) as Readonly<Record<string, Spoken>>);
    return [name, words as Spoken];
  });
  return [["frame", frame], ...(await Promise.all(found))];
}
const frame = {
  en: (await import(`${APP}/words-en.ts`)).en,
  "pt-BR": (await import(`${APP}/words-pt-br.ts`)).ptBr,
};
const words = await allWords();
const placesIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

describe.each(words)("%s", (_area, { en, "pt-BR": ptBr }) => {
  test("each text has the same places for facts in both languages", () => {
    const other = textsIn(ptBr);
    const own = textsIn(en);
    expect(own.length).toBeGreaterThan(0);
    expect(own.map(([name]) => name)).toEqual(other.map(([name]) => name));
    for (const [index, [name, text]] of own.entries())
      expect([name, placesIn(text)]).toEqual([name, placesIn(other[index]?.[1] ?? "")]);
  });

  test("Portuguese is that of Brazil, and an organization has no article that could be wrong", () => {
    const refused = /\b(guardar|ficheiro|utilizador|palavra-passe|ecrã|telemóvel|registar)\b|\bd[ao] \{organization\}/i;
    expect(textsIn(ptBr).filter(([, text]) => refused.test(text))).toEqual([]);
  });
});

test("roles are verbs", () => {
  const roles = textsIn(frame["pt-BR"]).filter(([name]) => /^\.roles\.\w+\.name$/.test(name));
  expect(roles.map(([, text]) => text)).toEqual(["Consulta", "Opera", "Administra", "Responde pela organização"]);
});
