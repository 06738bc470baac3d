// `selo zone dnssec`: issue "DNS hosting II" §7.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { warningIn } from "../../../src/services/dns/dnssec/dnssec-words.ts";
import { wrapped } from "../../../src/surfaces/cli/wrapped.ts";
import { codeBlocks, readDocument } from "../../support/documents.ts";
import { runSelo } from "./command-line.ts";
import { DelegationStage, FOREIGN } from "./delegation-stage.ts";
import type { Customer, Zone } from "./dns-stage.ts";
import { disable, enable, type KeyBody, remove, rotate, status } from "./dnssec-stage.ts";

let stage: DelegationStage;
let customer: Customer;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-dnssec-"));
beforeAll(async () => {
  stage = await DelegationStage.open();
  customer = await stage.dns.customer({ plan: "business", language: "pt-BR" });
});
afterAll(async () => {
  await stage?.close();
  fs.rmSync(folder, { recursive: true });
});

const run = (words: readonly string[], SELO_DNS_KEY = customer.token) =>
  runSelo(["zone", "dnssec", ...words], {
    PUBLIC_URL: stage.dns.selo.baseUrl,
    SELO_DATA_DIR: folder,
    SELO_DNS_KEY,
  });
const page = async ({ name }: Zone, ...words: string[]): Promise<string> => {
  const { code, stdout, stderr } = await run([name, ...words]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
};
const english = (zone: Zone) => page(zone, "--language", "en");
/** The marks of the steps: of those that lead on, and of those that turn DNSSEC off. */
const marks = (text: string) =>
  text
    .split(/^To turn DNSSEC off.*$/m)
    .map((part) => [...part.matchAll(/^\[(.)\] \d+\. /gm)].map(([, mark]) => mark).join(""));
/** What the page says after a check, and its marks. */
const stands = async (zone: Zone) => {
  await stage.check(zone);
  const text = await english(zone);
  return [/^Chain {2,}(.*?):/m.exec(text)?.[1], ...marks(text)];
};
const tagOf = (key: KeyBody | undefined) => key?.ds_records[0]?.split(" ")[0];
const signed = async () => {
  const zone = await stage.active(await customer.zone());
  return { zone, keys: (await enable(zone)).keys };
};

test("of a zone that is not signed: how it is signed, in the language of the organization", async () => {
  const zone = await customer.zone();
  expect(await page(zone)).toBe(
    [
      `Zona                ${zone.name}`,
      "DNSSEC              desativado: as respostas da zona não são assinadas",
      "Cadeia              sem assinatura: a zona não tem chaves",
      "Última verificação  ainda não houve",
      "",
      "Para assinar a zona, nesta ordem:",
      "",
      "[ ] 1. Ative o DNSSEC",
      `    POST …/zones/${zone.body.id}/dnssec cria uma chave, e a zona passa a ser assinada na hora.`,
      "    Depois, este comando mostra o DS da chave.",
      "",
      "[ ] 2. Aponte o domínio para este serviço",
      `    Não publique o DS antes disso. \`selo zone setup ${zone.name}\` explica como.`,
      "",
      "[ ] 3. Publique o registro DS",
      "    Onde o domínio foi registrado. Nunca antes de a zona estar assinada.",
      "",
    ].join("\n"),
  );
});

test("of a key: tag, algorithm, state, since when, and each DS record whole and by its fields, that with SHA-256 first", async () => {
  const { zone, keys } = await signed();
  const [key] = keys;
  const tag = tagOf(key);
  const [sha256 = "", sha384 = ""] = key?.ds_records ?? [];
  const text = await english(zone);
  expect(text).toContain("\nDNSSEC      on: the answers of the zone are signed\n");
  expect(text).toContain(
    [
      "",
      `Key ${tag}`,
      "",
      "Algorithm        ECDSAP256SHA256",
      "State            active: it signs",
      `Since            ${key?.created_at}`,
      "At the registry  its DS record is not seen",
      "",
      "DS record with SHA-256, to copy as a whole or by its fields:",
      "",
      sha256,
      "",
      `Key tag      ${tag}`,
      "Algorithm    13 (ECDSAP256SHA256)",
      "Digest type  2 (SHA-256)",
      `Digest       ${sha256.split(" ")[3]}`,
      "",
      "DS record with SHA-384, to copy as a whole or by its fields:",
      "",
      sha384,
      "",
      `Key tag      ${tag}`,
      "Algorithm    13 (ECDSAP256SHA256)",
      "Digest type  4 (SHA-384)",
      `Digest       ${sha384.split(" ")[3]}`,
      "",
      "One DS record of a key is enough: take the one with SHA-256, unless the",
      "registrar asks for the other. The form of Registro.br takes only the key tag and",
      "the digest.",
      "",
    ].join("\n"),
  );
});

test.each(["en", "pt-BR"])(
  "fits 80 columns, also in a rotation, but for the digest of SHA-384: %s",
  async (language) => {
    const { zone } = await signed();
    const { keys } = await rotate(zone);
    const digests = keys.map(({ ds_records }) => ds_records[1]?.split(" ")[3] ?? "");
    const lines = (await page(zone, "--language", language)).split("\n");
    expect(lines.filter((line) => line.length > 80)).toHaveLength(4);
    for (const line of lines) if (line.length > 80) expect(digests.some((digest) => line.endsWith(digest))).toBe(true);
  },
);

test("chain and steps, from the first key over a rotation to the end of DNSSEC", async () => {
  const zone = await customer.zone();
  // Neither pointed here nor signed; then pointed here.
  expect(marks(await english(zone))).toEqual(["   "]);
  await stage.active(zone);
  expect(await stands(zone)).toEqual(["unsigned", " x "]);

  const { keys: first } = await enable(zone);
  expect(await stands(zone)).toEqual(["no DS", "xx  ", "x  "]);
  const old = first[0]?.ds_records.slice(0, 1) ?? [];
  stage.publishDs(zone, old);
  // It is seen at once, and the chain is known after a check.
  expect(marks(await english(zone))).toEqual(["xxx ", "   "]);
  expect(await stands(zone)).toEqual(["DS published", "xxxx", "   "]);

  const { keys } = await rotate(zone);
  expect(await stands(zone)).toEqual(["DS published", "x      ", "   "]);
  const text = await english(zone);
  expect(text).toContain(`\nKey ${tagOf(keys[0])}, the old one\n`);
  expect(text).toContain(`\nKey ${tagOf(keys[1])}, the new one\n`);
  expect(text).toContain(
    "\nWarning: the registry does not show the DS record of the new key yet. Do not\nremove the old key before it does.\n",
  );
  const next = keys[1]?.ds_records ?? [];
  stage.publishDs(zone, [...old, ...next]);
  expect(await stands(zone)).toEqual(["DS published", "xxx    ", "   "]);
  expect(await english(zone)).not.toContain("Warning");
  stage.publishDs(zone, next);
  expect(await stands(zone)).toEqual(["DS published", "xxxxx  ", "   "]);
  await remove(zone, keys[0]);
  expect(await stands(zone)).toEqual(["DS published", "xxxx", "   "]);

  stage.publishDs(zone, []);
  // The registry's answer alone may be a server that is late: the check must agree.
  expect(marks(await english(zone))).toEqual(["xx  ", "   "]);
  expect(await stands(zone)).toEqual(["no DS", "xx  ", "x  "]);
  await disable(zone);
  expect(await stands(zone)).toEqual(["unsigned", " x "]);
});

test("what to wait for in a rotation stands in its order", async () => {
  const { zone } = await signed();
  const { keys } = await rotate(zone);
  const text = await english(zone);
  const steps = text.slice(text.indexOf("The key is being rotated"), text.indexOf("To turn DNSSEC off"));
  expect([...steps.matchAll(/^\[.\] \d\. (.*)$/gm)].map(([, title]) => title)).toEqual([
    "Create the new key",
    "Publish the DS record of the new key",
    "Wait until the registry shows it",
    "Wait one more day",
    "Remove the DS record of the old key",
    "Wait another day",
    "Remove the old key",
  ]);
  expect(steps).toContain(`DELETE …/zones/${zone.body.id}/dnssec/keys/${keys[0]?.key_id}. `);
});

describe("a chain that is broken", () => {
  test("in a rotation, by DS records of other keys alone: they are replaced by that of the new key", async () => {
    const { zone } = await signed();
    await rotate(zone);
    stage.publishDs(zone, [`1 13 2 ${"AB".repeat(32)}`]);
    await stage.check(zone);
    const text = await english(zone);
    expect(text).toContain("[ ] 2. Replace the DS records\n");
    expect(text.replaceAll(/\s+/g, " ")).toContain("add the DS record of the new key and remove all others");
  });

  test("by DS records of other keys: they are to be replaced", async () => {
    const { zone } = await signed();
    stage.publishDs(zone, [`1 13 2 ${"AB".repeat(32)}`]);
    expect(await stands(zone)).toEqual(["broken", "xx  ", "   "]);
    expect(await english(zone)).toContain("[ ] 3. Replace the DS records\n");
    const said = (await page(zone)).replaceAll("\n", " ");
    expect(said).toContain("Cadeia              quebrada: ");
    expect(said).toContain("Atenção: a zona pai só publica DS de chaves que a zona não tem. ");
  });

  test("by a DS record that is left after the end of DNSSEC: it is to be removed", async () => {
    const { zone, keys } = await signed();
    stage.publishDs(zone, keys[0]?.ds_records ?? []);
    await stage.check(zone);
    await disable(zone);
    expect(await stands(zone)).toEqual(["broken", "   x "]);
    expect(await english(zone)).toContain("[ ] 1. Remove the DS record\n");
    expect(await page(zone)).toContain("\nAtenção: a zona pai ainda publica um DS, ");
  });
});

describe("a domain that still points to another provider, whose DS record is at the parent", () => {
  const titles = (text: string) =>
    [...(text.split(/^To turn DNSSEC off/m)[0] ?? "").matchAll(/^\[.\] \d+\. (.*)$/gm)].map(([, title]) => title);
  const elsewhere = async () => {
    const zone = await customer.zone();
    stage.world.delegate(zone.name, FOREIGN);
    stage.publishDs(zone, [`1 13 2 ${"AB".repeat(32)}`]);
    return zone;
  };
  const REMOVAL = ["Remove the other provider's DS record", "Wait until resolvers have forgotten it"];

  test("of a signed zone: the DS record is removed and forgotten before the domain moves, and none is published before", async () => {
    const zone = await elsewhere();
    await enable(zone);
    // The registry's answer is enough, and so is the last check.
    const steps = [...REMOVAL, "Point the domain to this service", "Publish the DS record", "Wait until it is seen"];
    expect(titles(await english(zone))).toEqual(["Turn DNSSEC on", ...steps]);
    expect(await stands(zone)).toEqual(["broken", "x     ", "   "]);
    stage.world.referrals.set(zone.name, "fails");
    expect(titles(await english(zone))).toEqual(["Turn DNSSEC on", ...steps]);
  });

  test("of a zone that is not signed: the same", async () => {
    const zone = await elsewhere();
    await stage.check(zone);
    expect(titles(await english(zone))).toEqual([
      ...REMOVAL,
      "Turn DNSSEC on",
      "Point the domain to this service",
      "Publish the DS record",
    ]);
  });

  test("in a rotation: the same, and the new key comes after", async () => {
    const zone = await elsewhere();
    await enable(zone);
    await rotate(zone);
    expect(titles(await english(zone)).slice(0, 5)).toEqual([
      "Create the new key",
      ...REMOVAL,
      "Point the domain to this service",
      "Publish the DS record of the new key",
    ]);
  });

  test("nobody says that people cannot reach the domain, for the other provider answers validly", async () => {
    for (const isSigned of [true, false]) {
      const zone = await elsewhere();
      if (isSigned) await enable(zone);
      await stage.check(zone);
      const text = await english(zone);
      const pt = (await page(zone)).replaceAll(/\s+/g, " ");
      expect(text.replaceAll(/\s+/g, " ")).toContain(
        "Warning: the registry publishes the DS record of another provider. Remove it where the domain is registered, and wait a day before you point the domain here.",
      );
      expect(pt).toContain(
        "Atenção: a zona pai publica o DS de outro provedor. Remova esse DS onde o domínio foi registrado e espere um dia antes de apontar o domínio para cá.",
      );
      for (const wrong of [/cannot reach/, /refuse/, /is not signed/])
        expect(text.split("The steps of")[0]).not.toMatch(wrong);
      for (const wrong of [/não consegue acessar/, /recusam/, /não está assinada/]) expect(pt).not.toMatch(wrong);
    }
  });

  test("once the domain points here, the DS record is in the way: it is to be replaced", async () => {
    const zone = await elsewhere();
    await enable(zone);
    await stage.check(zone);
    stage.world.delegate(zone.name, zone.body.nameservers);
    expect(titles(await english(zone))).toEqual([
      "Turn DNSSEC on",
      "Point the domain to this service",
      "Replace the DS records",
      "Wait until it is seen",
    ]);
  });
});

test("a registry that answers for the nameservers and not for the DS record: nobody answered, and it is not said to be missing", async () => {
  const { zone } = await signed();
  stage.world.ds.set(zone.name, "fails");
  expect((await zone.ask("GET", "/setup")).body).toMatchObject({ parent_ns: zone.body.nameservers, parent_ds: null });
  const text = await english(zone);
  expect(text).toMatch(/^At the registry {2}nobody answered$/m);
  expect(text).not.toContain("is not seen");
});

test("while nobody answers: no step counts as done that depends on it, and the chain stays that of the last answer", async () => {
  const { zone, keys } = await signed();
  stage.publishDs(zone, keys[0]?.ds_records ?? []);
  await stage.check(zone);
  const rotated = await rotate(zone);
  stage.publishDs(zone, rotated.keys[1]?.ds_records ?? []);
  for (const known of [stage.world.resolved, stage.world.referrals]) known.set(zone.name, "fails");
  const text = await english(zone);
  expect(text.match(/^At the registry {2}nobody answered$/gm)).toHaveLength(2);
  expect(text).toMatch(/^Chain {2,}DS published: /m);
  expect(marks(text)).toEqual(["x      ", "   "]);
});

test("dnssec of GraphQL has the same steps as of the last check, in the language that is asked for, and names no command", async () => {
  const ask = async (zone: Zone, languages?: string) => {
    const answer = await customer.graphql(
      `{ dnssec(zoneId: "${zone.body.id}") { enabled chain keys { keyId } instructions { step title text done } } }`,
      {},
      languages === undefined ? {} : { "accept-language": languages },
    );
    expect(answer.errors).toEqual([]);
    const status = answer.data?.["dnssec"] as {
      readonly chain: string;
      readonly instructions: readonly { readonly step: number; title: string; text: string; done: boolean }[];
    };
    for (const { text } of status.instructions) expect(text).not.toMatch(/selo zone|POST|DELETE|above|acima|command/);
    return { ...status, language: answer.headers.get("content-language") };
  };
  /** Titles and marks, as the page of the terminal has them. */
  const ofPage = (text: string) =>
    [...(text.split(/^(?:To turn DNSSEC off|Para desativar)/m)[0] ?? "").matchAll(/^\[(.)\] \d+\. (.*)$/gm)].map(
      ([, mark, title]) => [title, mark === "x"],
    );
  const both = async (zone: Zone) => {
    for (const [languages, language] of [
      [undefined, "pt-BR"],
      ["en", "en"],
    ] as const) {
      const { instructions, language: told } = await ask(zone, languages);
      expect(instructions.map(({ title, done }) => [title, done])).toEqual(
        ofPage(await page(zone, "--language", language)),
      );
      expect(instructions.map(({ step }) => step)).toEqual(instructions.map((_, place) => place + 1));
      expect(told).toBe(language);
    }
  };
  const zone = await customer.zone();
  await both(zone);
  await stage.active(zone);
  const { keys } = await enable(zone);
  await stage.check(zone);
  await both(zone);
  stage.publishDs(zone, keys[0]?.ds_records ?? []);
  // The public DNS is not asked: what it says is known after a check.
  expect((await ask(zone)).instructions.map(({ done }) => done)).toEqual([true, true, false, false]);
  await stage.check(zone);
  expect((await ask(zone)).instructions.map(({ done }) => done)).toEqual([true, true, true, true]);
  await both(zone);
  await rotate(zone);
  await stage.check(zone);
  await both(zone);
});

test("warnings have the words of the rest of the page, in both languages, for every code that the service knows", async () => {
  const definition = await stage.dns.rows<{ source: string }>(
    "select prosrc as source from pg_proc where oid = 'dns.dnssec_warnings'::regproc",
  );
  const codes = [...(definition[0]?.source ?? "").matchAll(/select '(\w+)'/g)].map(([, code = ""]) => code);
  expect(codes.length).toBeGreaterThan(2);
  for (const code of codes)
    for (const status of ["active", "pending", "moved"]) {
      const isOfParent = code !== "lower_zone_undelegated";
      expect(warningIn("en", code, status)).toMatch(isOfParent ? /^the registry / : /^one of your zones below /);
      expect(warningIn("en", code, status)).not.toMatch(/parent|registrar|validating/);
      expect(warningIn("pt-BR", code, status)).toMatch(isOfParent ? /zona pai/ : /zona abaixo desta/);
    }
});

test("unknown before a check has found out", async () => {
  const zone = await customer.zone();
  await enable(zone);
  expect(await english(zone)).toMatch(/^Chain {2,}unknown: no check has found out yet/m);
  expect(await page(zone)).toMatch(/^Cadeia {2,}ainda não se sabe: /m);
});

test("prints JSON: what the API answers, and the steps", async () => {
  const { zone } = await signed();
  const { code, stdout } = await run([zone.name, "--json", "--language", "en"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    zone: (await zone.ask("GET")).body,
    dnssec: await status(zone),
    at_parent: [false],
    instructions: expect.arrayContaining([
      { step: 3, title: "Publish the DS record", text: expect.any(String), done: false },
    ]),
    disabling: expect.arrayContaining([expect.objectContaining({ step: 3, title: "Turn DNSSEC off", done: false })]),
  });
});

test("refuses another language, a zone that there is not, and a key without the scope; it writes nothing", async () => {
  const { zone } = await signed();
  const { checked_at } = (await zone.ask("GET")).body;
  for (const [words, key, reason] of [
    [[zone.name, "--language", "fr"], customer.token, /must be en or pt-BR/],
    [["nobody.test"], customer.token, /^not_found: .*nobody\.test/],
    [[zone.name], await customer.key(["record:read"]), /^missing_scope: .*zone:read/],
    [[zone.name], (await stage.dns.customer()).token, /^not_found: /],
  ] as const)
    expect(await run(words, key)).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(reason) });
  expect((await run([zone.name], await customer.key(["zone:read"]))).code).toBe(0);
  expect((await zone.ask("GET")).body.checked_at).toBe(checked_at);
});

test.each<[string, string, string[]]>([
  ["of 80 characters is one line", `${"a".repeat(39)} ${"b".repeat(40)}`, [`${"a".repeat(39)} ${"b".repeat(40)}`]],
  ["of 81 characters are two", `${"a".repeat(40)} ${"b".repeat(40)}`, ["a".repeat(40), "b".repeat(40)]],
  ["with a longer word keeps it whole", `x ${"a".repeat(90)} y`, ["x", "a".repeat(90), "y"]],
])("a text %s", (_, text, lines) => {
  expect(wrapped(text)).toEqual(lines);
});

test("the guide rotates, deletes and disables in blocks apart, and says what to wait for before each", () => {
  const guide = readDocument("src/web/guides/dnssec.md");
  const changes = codeBlocks(guide).filter(({ code }) => /-X (POST|DELETE)/.test(code));
  expect(changes.map(({ code }) => [...code.matchAll(/-X (POST|DELETE)/g)].map(([, method]) => method))).toEqual([
    ["POST"],
    ["POST"],
    ["DELETE"],
    ["DELETE"],
  ]);
  for (const { code } of changes.slice(2))
    expect(guide.slice(0, guide.indexOf(code))).toMatch(/Only after [^\n]*:\n\n```sh\n$/);
});
