// Identity providers that answer, and that are slow, endless, lying or away.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ProviderFailed } from "../../../src/adapters/identity/contracts.ts";
import { IdentityProvider } from "../../../src/adapters/identity/identity-provider.ts";
import { testProvider } from "../../../src/adapters/identity/test-provider.ts";

const ID = "0190f3c1-0000-7000-8000-000000000001";
const PERSON = { name: "Maria", cpf: "52998224725", ssn_last4: null };
const QUESTION = { id: "street", text: "Where?", choices: ["A", "B"] };

interface Seen {
  readonly authorization: string | undefined;
  readonly body: unknown;
}
let server: http.Server;
let answerWith: (response: http.ServerResponse) => void;
let seen: Seen[] = [];
let url: string;
beforeAll(async () => {
  server = http.createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    seen.push({
      authorization: request.headers.authorization,
      body: JSON.parse(Buffer.concat(pieces).toString("utf8")),
    });
    answerWith(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ask`;
});
beforeEach(() => {
  seen = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const json = (body: unknown) => (response: http.ServerResponse) => response.end(JSON.stringify(body));
async function using<Result>(act: (provider: IdentityProvider) => Promise<Result>, wholeMs?: number): Promise<Result> {
  const provider = new IdentityProvider({ url, token: "secret", ...(wholeMs === undefined ? {} : { wholeMs }) });
  try {
    return await act(provider);
  } finally {
    await provider.close();
  }
}

test("the contracts: one id a try, the token as bearer", async () => {
  answerWith = json({ reference: "r-1", questions: [QUESTION], more: true });
  expect(await using((provider) => provider.ask(ID, PERSON))).toEqual({ reference: "r-1", questions: [QUESTION] });
  answerWith = json({ passed: true });
  expect(await using((provider) => provider.judge(ID, { reference: "r-1" }, { street: "B" }))).toBe(true);
  answerWith = json({ reference: "r-2", match: false });
  expect(await using((provider) => provider.match(ID, PERSON))).toEqual({ reference: "r-2", match: false });
  expect(seen).toEqual([
    { authorization: "Bearer secret", body: { id: ID, ...PERSON } },
    { authorization: "Bearer secret", body: { id: ID, reference: "r-1", answers: { street: "B" } } },
    { authorization: "Bearer secret", body: { id: ID, ...PERSON } },
  ]);
});

const lies: readonly (readonly [string, (response: http.ServerResponse) => void])[] = [
  ["no JSON", (response) => response.end("<html>")],
  ["a match that is a word", json({ reference: "r", match: "true" })],
  ["no reference", json({ match: true })],
  ["a reference of two lines", json({ reference: "a\nb", match: true })],
  ["a long reference", json({ reference: "a".repeat(201), match: true })],
  ["201", (response) => response.writeHead(201).end(JSON.stringify({ reference: "r", match: true }))],
  ["a redirect", (response) => response.writeHead(302, { location: url }).end()],
  ["500", (response) => response.writeHead(500).end()],
  ["a cut connection", (response) => response.destroy()],
  ["more than 64 KiB", json({ reference: "r", match: true, more: "x".repeat(70_000) })],
];
test.each(lies)("ProviderFailed, asked once: %s", async (_, lie) => {
  answerWith = lie;
  await expect(using((provider) => provider.match(ID, PERSON))).rejects.toThrow(ProviderFailed);
  expect(seen).toHaveLength(1);
});

test.each([
  ["none", []],
  ["two of one id", [QUESTION, QUESTION]],
  ["one choice", [{ ...QUESTION, choices: ["A"] }]],
  ["two choices that are alike", [{ ...QUESTION, choices: ["A", "A"] }]],
  ["eleven", Array.from({ length: 11 }, (_, place) => ({ ...QUESTION, id: `q${place}` }))],
])("ProviderFailed for questions: %s", async (_, questions) => {
  answerWith = json({ reference: "r", questions });
  await expect(using((provider) => provider.ask(ID, PERSON))).rejects.toThrow(ProviderFailed);
});

test("ProviderFailed: slow, endless, away; no message names the address or the person", async () => {
  answerWith = () => {};
  const slow = await using((provider) => provider.match(ID, PERSON), 50).catch((error: unknown) => error);
  answerWith = (response) => {
    const timer = setInterval(() => response.write(" "), 5);
    response.on("close", () => clearInterval(timer));
  };
  const endless = await using((provider) => provider.match(ID, PERSON), 200).catch((error: unknown) => error);
  const away = new IdentityProvider({ url: "http://127.0.0.1:1" });
  const refused = await away.match(ID, PERSON).catch((error: unknown) => error);
  await away.close();
  for (const error of [slow, endless, refused]) {
    expect(error).toBeInstanceOf(ProviderFailed);
    expect(String(error)).not.toMatch(/127\.0\.0\.1|Maria|52998224725/);
  }
});

test("the provider of the test environment: the last choice is right, and a mismatch does not match", async () => {
  const { reference, questions } = await testProvider.ask(ID, PERSON);
  expect(reference).toBe(`selo-test-provider:${ID}`);
  const right = Object.fromEntries(questions.map(({ id, choices }) => [id, choices.at(-1) ?? ""]));
  expect(await testProvider.judge(ID, { reference }, right)).toBe(true);
  for (const { id, choices } of questions)
    expect(await testProvider.judge(ID, { reference }, { ...right, [id]: choices[0] ?? "" })).toBe(false);
  expect(await testProvider.judge(ID, { reference }, {})).toBe(false);
  expect((await testProvider.match(ID, PERSON)).match).toBe(true);
  expect((await testProvider.match(ID, { ...PERSON, name: "Maria Mismatch" })).match).toBe(false);
});
