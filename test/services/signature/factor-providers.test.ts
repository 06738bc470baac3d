// Providers of second factors in live, through the API: one that fails costs no try, and is asked again under the same id.
import http from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { expectError } from "../../support/rest-client.ts";
import { type EnvelopeStage, openStage } from "./envelope-stage.ts";
import { aHalfSession, answer, CPF, factorsOf, isLocked } from "./factor-stage.ts";
import { act, aSent, eventsOf } from "./signing-stage.ts";

let server: http.Server;
let selo: TestGateway;
let live: EnvelopeStage;
/** What the provider answers; null for one that fails; a function for one that breaks the rules. */
let said: object | ((response: http.ServerResponse) => void) | null = null;
let asked: { readonly [member: string]: unknown }[] = [];
beforeAll(async () => {
  server = http.createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    asked.push(JSON.parse(Buffer.concat(pieces).toString("utf8")));
    if (said === null) response.writeHead(500).end();
    else if (typeof said === "function") said(response);
    else response.end(JSON.stringify(said));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  selo = await startTestGateway({ KBA_URL: url, IDENTITY_URL: url });
  for (const name of ["kba_url", "identity_url"]) await selo.operator.changeSetting(name, url);
  live = await openStage(selo, "live");
});
beforeEach(() => {
  asked = [];
  said = null;
});
afterAll(async () => {
  await selo.stop();
  server.closeAllConnections();
  server.close();
});

test("identity_match: 503 and the try given back, the same id again, and a match", async () => {
  const { link } = await aSent(live, [{ auth_method: "identity_match", cpf: CPF, name: "Maria Souza" }]);
  const session = await aHalfSession(live, link);
  for (let tried = 0; tried < 3; tried++) expectError(await answer(live, link, session, {}), 503, "unavailable");
  said = { reference: "r", match: "true" };
  expectError(await answer(live, link, session, {}), 503, "unavailable");
  expectError(await act(live, link, "POST", "/view", { session }), 403, "factor_required");
  expect(await isLocked(live, link)).toBe(false);
  said = { reference: "bureau-17", match: true };
  expect((await answer(live, link, session, {})).body).toEqual({ next: null });
  expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
  expect(asked[0]).toMatchObject({ name: "Maria Souza", cpf: "52998224725", ssn_last4: null });
  expect(await factorsOf(live, link)).toEqual([{ tried: true, answered: true, passed: true, reference: "bureau-17" }]);
});

/** Writes for ever. */
function endless(write: () => void, socket: Socket | null): void {
  const timer = setInterval(write, 1);
  socket?.once("close", () => clearInterval(timer));
}
const MATCH = JSON.stringify({ reference: "r", match: true });
const answersWith = (text: string) => (response: http.ServerResponse) => void response.end(text);
test.each<readonly [string, (response: http.ServerResponse) => void]>([
  ["redirects", (response) => void response.writeHead(307, { location: "http://169.254.169.254/" }).end()],
  ["says something that is not JSON", answersWith("<html>")],
  ["answers a match and more than 64 KiB", answersWith(`${MATCH.slice(0, -1)}, "more": "${"x".repeat(70_000)}"}`)],
  [
    "closes in the middle of a match",
    ({ socket }) => void socket?.end(`HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n${MATCH}`),
  ],
  ["answers a match with another status", (response) => void response.writeHead(201).end(MATCH)],
  ["never ends its answer", (response) => endless(() => response.write(" ".repeat(1_000)), response.socket)],
  [
    "never ends its head",
    ({ socket }) => {
      socket?.write("HTTP/1.1 200 OK\r\n");
      endless(() => socket?.write(`x-more: ${"x".repeat(1_000)}\r\n`), socket);
    },
  ],
])("a provider that %s passes nobody: 503, and the try is given back", async (_does, lie) => {
  const { link } = await aSent(live, [{ auth_method: "identity_match", cpf: CPF }]);
  const session = await aHalfSession(live, link);
  said = lie;
  expectError(await answer(live, link, session, {}), 503, "unavailable");
  expectError(await act(live, link, "POST", "/view", { session }), 403, "factor_required");
  expect(asked.length).toBe(1);
  said = { reference: "r", match: true };
  expect((await answer(live, link, session, {})).body).toEqual({ next: null });
});

test("a provider that fails costs no try ten times; the eleventh failure of one link counts", async () => {
  const { id, link } = await aSent(live, [{ auth_method: "identity_match", cpf: CPF }]);
  const session = await aHalfSession(live, link);
  for (let failed = 1; failed <= 11; failed++) {
    expect([failed, await isLocked(live, link)]).toEqual([failed, false]);
    expectError(await answer(live, link, session, {}), 503, "unavailable");
  }
  expect(await isLocked(live, link)).toBe(true);
  expectError(await answer(live, link, session, {}), 403, "link_locked");
  expect((await eventsOf(live, id)).map(({ action }) => action).slice(-2)).toEqual([
    "envelope.factor_refused",
    "envelope.link_locked",
  ]);
});

test("kba: questions and answers of one id; a failure between costs no round", async () => {
  const { link } = await aSent(live, [{ auth_method: "kba", ssn_last4: "6789" }]);
  const session = await aHalfSession(live, link);
  expectError(await act(live, link, "GET", "/factor", { session }), 503, "unavailable");
  const questions = [{ id: "q", text: "Where?", choices: ["A", "B"] }];
  said = { reference: "round-1", questions };
  expect((await act(live, link, "GET", "/factor", { session })).body).toEqual({
    next: "kba",
    tries_left: 2,
    questions,
  });
  said = null;
  expectError(await answer(live, link, session, { answers: { q: "B" } }), 503, "unavailable");
  said = { passed: false };
  expectError(await answer(live, link, session, { answers: { q: "A" } }), 422, "wrong_answer", ["answers"]);
  expect(asked.at(-1)).toEqual({ id: asked[0]?.["id"], reference: "round-1", answers: { q: "A" } });
  // The next round is another try.
  said = { reference: "round-2", questions };
  expect((await act(live, link, "GET", "/factor", { session })).body.tries_left).toBe(1);
  expect(asked.at(-1)?.["id"]).not.toBe(asked[0]?.["id"]);
  said = { passed: true };
  expect((await answer(live, link, session, { answers: { q: "B" } })).body).toEqual({ next: null });
});

test("a provider is asked 60 times an hour by one link at most: 429", { timeout: 60_000 }, async () => {
  const { link } = await aSent(live, [{ auth_method: "kba", ssn_last4: "6789" }]);
  const session = await aHalfSession(live, link);
  said = { reference: "round-1", questions: [{ id: "q", text: "Where?", choices: ["A", "B"] }] };
  for (let time = 1; time <= 59; time += 1)
    expect((await act(live, link, "GET", "/factor", { session })).status).toBe(200);
  // A provider that fails gives the try back.
  said = null;
  expectError(await answer(live, link, session, { answers: { q: "A" } }), 503, "unavailable");
  expectError(await answer(live, link, session, { answers: { q: "A" } }), 429, "rate_limited");
  expectError(await act(live, link, "GET", "/factor", { session }), 429, "rate_limited");
  expect(asked.length).toBe(60);
});
