// The client before the simulator: what is accepted, refused, absent, and what is a doubt.
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  makeA1,
  makeAuthority,
  makeCertificate,
} from "../../../src/adapters/tax-authority/simulator/demo-certificates.ts";
import { TaxAuthority } from "../../../src/adapters/tax-authority/tax-authority.ts";
import { readCancellationEvent, readNfse } from "../../../src/adapters/tax-authority/trusted-answers.ts";
import { CNPJ, sampleFacts } from "./sample-facts.ts";
import { NOW, type Stage, startStage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterEach(() => stage.next());
afterAll(() => stage?.stop());

/** Issues an NFS-e and reads it. */
async function issued() {
  const { client, a1, simulator } = stage;
  const dps = stage.dps();
  const answer = await client.issue(a1.pem, dps.xml);
  if (answer.kind !== "accepted") throw new Error(JSON.stringify(answer));
  return { dps, answer, nfse: readNfse(answer.xml, { trusted: [simulator.signerPem], dpsXml: dps.xml }) };
}

describe("an invoice", () => {
  test("is issued, found by its DPS, fetched, cancelled, and the cancellation is found", async () => {
    const { client, a1, simulator } = stage;
    const { dps, answer, nfse } = await issued();
    expect(nfse).toMatchObject({ dps_id: dps.id, issued_at: "2026-11-29T18:12:10-03:00" });
    expect(JSON.parse(answer.body)).toMatchObject({ idDps: dps.id, chaveAcesso: nfse.access_key });
    expect(await client.findDps(a1.pem, dps.id)).toMatchObject({ kind: "accepted", accessKey: nfse.access_key });
    expect(await client.fetchNfse(a1.pem, nfse.access_key)).toMatchObject({ kind: "accepted", xml: answer.xml });
    expect(await client.findCancellation(a1.pem, nfse.access_key)).toEqual({ kind: "absent" });
    const requestXml = stage.cancellation(nfse.access_key);
    const canceled = await client.cancel(a1.pem, nfse.access_key, requestXml);
    if (canceled.kind !== "accepted") throw new Error(canceled.kind);
    const options = { trusted: [simulator.signerPem], accessKey: nfse.access_key, requestXml };
    expect(readCancellationEvent(canceled.xml, options)).toMatchObject({ reason_code: "1", answers_request: true });
    expect(await client.findCancellation(a1.pem, nfse.access_key)).toMatchObject({ xml: canceled.xml });
    expect(await client.cancel(a1.pem, nfse.access_key, requestXml)).toMatchObject({
      kind: "refused",
      errors: [{ code: "E0840" }],
    });
  });

  test("is issued once, however often the same bytes are sent (E0014)", async () => {
    const { client, a1, simulator } = stage;
    const dps = stage.dps();
    const kinds = await Promise.all([1, 2, 3].map(() => client.issue(a1.pem, dps.xml)));
    expect(kinds.filter(({ kind }) => kind === "accepted")).toHaveLength(1);
    const refused = kinds.find(({ kind }) => kind === "refused");
    expect(refused).toMatchObject({ status: 400, errors: [{ code: "E0014" }] });
    expect(simulator.nfseCounts()[dps.id]).toBe(1);
  });

  test("that nobody knows is absent", async () => {
    const { client, a1 } = stage;
    expect(await client.findDps(a1.pem, stage.dps().id)).toEqual({ kind: "absent" });
    const { nfse } = await issued();
    const other = (digit: string) => `${nfse.access_key.slice(0, 40)}${digit.repeat(10)}`;
    expect(await client.fetchNfse(a1.pem, other("0"))).toMatchObject({ kind: "refused" });
  });

  test("cancelled by somebody else is refused with E0840, and the event is theirs", async () => {
    const { client, a1, simulator } = stage;
    const { nfse } = await issued();
    stage.next({ kind: "already_canceled" });
    const requestXml = stage.cancellation(nfse.access_key);
    expect(await client.cancel(a1.pem, nfse.access_key, requestXml)).toMatchObject({ errors: [{ code: "E0840" }] });
    const found = await client.findCancellation(a1.pem, nfse.access_key);
    if (found.kind !== "accepted") throw new Error(found.kind);
    const options = { trusted: [simulator.signerPem], accessKey: nfse.access_key, requestXml };
    expect(readCancellationEvent(found.xml, options)).toMatchObject({
      answers_request: false,
      reason: "Cancelada no portal nacional",
    });
  });
});

describe("refusals", () => {
  test("name all their codes, for a DPS and for a cancellation", async () => {
    const { client, a1 } = stage;
    const errors = [
      { code: "E0310", message: "Código inexistente", complement: "cTribNac" },
      { code: "E0595", message: "Alíquota" },
    ];
    stage.next({ kind: "reject", errors }, { kind: "reject", errors: [{ code: "E0822" }] });
    expect(await client.issue(a1.pem, stage.dps().xml)).toMatchObject({
      kind: "refused",
      status: 400,
      errors: [errors[0], { ...errors[1], complement: null }],
    });
    const key = (await issuedWithout()).access_key;
    stage.next({ kind: "reject", errors: [{ code: "E0822" }] });
    expect(await client.cancel(a1.pem, key, stage.cancellation(key))).toMatchObject({ errors: [{ code: "E0822" }] });
  });

  async function issuedWithout() {
    stage.next();
    return (await issued()).nfse;
  }

  test.each([
    ["E0006", { environment: "live" as const }],
    ["E0008", { issued_at: "2026-11-29T23:12:03-03:00" }],
    ["E0015", { competence_date: "2026-11-30" }],
    ["E0718", { issuer: { ...sampleFacts().issuer, cnpj: "11444777000161" } }],
  ])("%s: the simulator refuses as the tax authority does", async (code, changes) => {
    const answer = await stage.client.issue(stage.a1.pem, stage.dps(changes).xml);
    expect(answer).toMatchObject({ kind: "refused", errors: [{ code }] });
  });

  test("a DPS that was changed after its signature is refused", async () => {
    const { client, a1 } = stage;
    const changed = stage.dps().xml.replace("<vServ>1000.00<", "<vServ>1.00<");
    expect(await client.issue(a1.pem, changed)).toMatchObject({ errors: [{ code: "E0717" }] });
    expect(await client.issue(a1.pem, "<a><b></a>")).toMatchObject({ errors: [{ code: "E1226" }] });
    const prefixed = stage
      .dps()
      .xml.replaceAll(/<(\/?)DPS/g, "<$1n:DPS")
      .replace("xmlns=", "xmlns:n=");
    expect(await client.issue(a1.pem, prefixed)).toMatchObject({ errors: [{ code: "E1228" }] });
  });

  test("a certificate of another CNPJ, or of none, is refused", async () => {
    const { simulator, client } = stage;
    const other = await simulator.makeA1({ cnpj: "11444777000161", name: "Outra", password: "x" });
    expect(await client.issue(other.pem, stage.dps({}, other.pem).xml)).toMatchObject({ errors: [{ code: "E0718" }] });
    const none = await simulator.makeA1({ cnpj: CNPJ, name: "Sem CNPJ", password: "x", withoutCnpj: true });
    expect(await client.issue(none.pem, stage.dps({}, none.pem).xml)).toMatchObject({ errors: [{ code: "E0718" }] });
  });
});

describe("doubts", () => {
  test.each([
    ["500 before storing", { kind: "error_before" }, "http_500", 0],
    ["500 after storing", { kind: "error_after" }, "http_500", 1],
    ["403 without errors", { kind: "forbidden" }, "http_403", 0],
    ["a dropped connection", { kind: "drop_before" }, "transport", 0],
    ["a connection dropped after storing", { kind: "drop_after" }, "transport", 1],
    ["a connection dropped in the middle of the answer", { kind: "drop_halfway" }, "transport", 1],
    ["a body that is no JSON", { kind: "garbage" }, "http_201", 1],
    ["a document that inflates beyond 10 MiB", { kind: "gzip_bomb" }, "http_201", 1],
    ["a redirect", { kind: "status", status: 302 }, "http_302", 0],
    ["a refusal for now", { kind: "reject", status: 429, errors: [{ code: "E9998" }] }, "http_429", 0],
  ])("%s", async (_, step, code, count) => {
    const { client, a1, simulator } = stage;
    stage.next(step);
    const dps = stage.dps();
    expect(await client.issue(a1.pem, dps.xml)).toMatchObject({ kind: "doubt", code, retryAfterSeconds: null });
    expect(simulator.nfseCounts()[dps.id] ?? 0).toBe(count);
    // What the doubt was about is found out, and the same bytes are sent again when nothing was stored.
    const found = await client.findDps(a1.pem, dps.id);
    expect(found.kind).toBe(count === 1 ? "accepted" : "absent");
    if (count === 0) expect((await client.issue(a1.pem, dps.xml)).kind).toBe("accepted");
    expect(simulator.nfseCounts()[dps.id]).toBe(1);
  });

  test("Retry-After is kept, as seconds or as a date, for a day at most", async () => {
    const { client, a1 } = stage;
    const soon = new Date(NOW.getTime() + 90_000).toUTCString();
    for (const [retry_after, seconds] of [
      ["30", 30],
      [soon, 90],
      ["999999", 86_400],
      ["never", null],
    ] as const) {
      stage.next({ kind: "status", status: 503, retry_after });
      const answer = await client.issue(a1.pem, stage.dps().xml);
      expect(answer).toEqual({ kind: "doubt", code: "http_503", retryAfterSeconds: seconds, detail: null });
    }
  });

  test("an answer that takes too long, from its start or byte by byte", async () => {
    const { a1, simulator } = stage;
    const client = new TaxAuthority({ baseUrl: simulator.url, ca: simulator.caPem, requestMs: 400 });
    for (const step of [
      { kind: "delay", ms: 60_000 },
      { kind: "slow_drip", ms: 50 },
    ]) {
      stage.next(step);
      expect(await client.issue(a1.pem, stage.dps().xml)).toMatchObject({ kind: "doubt", code: "transport" });
    }
    await client.close();
  });

  test("questions have doubts as well", async () => {
    const { client, a1 } = stage;
    const { nfse, dps } = await issued();
    for (const ask of [
      () => client.findDps(a1.pem, dps.id),
      () => client.fetchNfse(a1.pem, nfse.access_key),
      () => client.findCancellation(a1.pem, nfse.access_key),
    ]) {
      stage.next({ kind: "error_before", on: "read" }, { kind: "drop_before", on: "read" });
      expect(await ask()).toMatchObject({ kind: "doubt", code: "http_500" });
      expect(await ask()).toMatchObject({ kind: "doubt", code: "transport" });
    }
  });

  test.each([
    ["500 before storing", { kind: "error_before" }, "http_500", false],
    ["500 after storing", { kind: "error_after" }, "http_500", true],
    ["a connection dropped after storing", { kind: "drop_after" }, "transport", true],
    ["a body that is no JSON", { kind: "garbage" }, "http_201", true],
    ["a document that inflates beyond 10 MiB", { kind: "gzip_bomb" }, "http_201", true],
  ])("a cancellation meets %s", async (_, step, code, isStored) => {
    const { client, a1 } = stage;
    const { nfse } = await issued();
    const requestXml = stage.cancellation(nfse.access_key);
    stage.next(step);
    expect(await client.cancel(a1.pem, nfse.access_key, requestXml)).toMatchObject({ kind: "doubt", code });
    const found = await client.findCancellation(a1.pem, nfse.access_key);
    expect(found.kind).toBe(isStored ? "accepted" : "absent");
  });

  test("a cancellation that a wrong signer answers does not count", async () => {
    const { client, a1, simulator } = stage;
    const { nfse } = await issued();
    const requestXml = stage.cancellation(nfse.access_key);
    stage.next({ kind: "wrong_signer" });
    const answer = await client.cancel(a1.pem, nfse.access_key, requestXml);
    const options = { trusted: [simulator.signerPem], accessKey: nfse.access_key, requestXml };
    expect(() => readCancellationEvent(answer.kind === "accepted" ? answer.xml : "", options)).toThrow("signer");
    const found = await client.findCancellation(a1.pem, nfse.access_key);
    expect(readCancellationEvent(found.kind === "accepted" ? found.xml : "", options).answers_request).toBe(true);
  });

  test("a server that nobody listens at, or that an unknown authority vouches for", async () => {
    const { simulator, a1 } = stage;
    const closed = new TaxAuthority({ baseUrl: "https://127.0.0.1:9/SefinNacional", ca: simulator.caPem });
    const stranger = new TaxAuthority({ baseUrl: simulator.url });
    for (const [client, detail] of [
      [closed, "ECONNREFUSED"],
      [stranger, "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
    ] as const) {
      const doubt = { kind: "doubt", code: "transport", retryAfterSeconds: null, detail };
      expect(await client.findDps(a1.pem, stage.dps().id)).toEqual(doubt);
      await client.close();
    }
  });

  test("a body without end", async () => {
    const { authority, server, a1 } = await strangers();
    const endless = createServer({ key: server.privateKey, cert: server.certificate }, (_, response) => {
      const chunk = Buffer.alloc(256 * 1024, " ");
      const write = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", write).on("error", () => undefined);
      write();
    });
    await new Promise<void>((resolve) => endless.listen(0, "127.0.0.1", resolve));
    const { port } = endless.address() as AddressInfo;
    const client = new TaxAuthority({ baseUrl: `https://127.0.0.1:${port}`, ca: authority.certificate });
    expect(await client.findDps(a1.pem, stage.dps().id)).toMatchObject({ kind: "doubt", code: "transport" });
    await client.close();
    endless.closeAllConnections();
    endless.close();
  });
});

async function strangers() {
  const authority = await makeAuthority(NOW);
  const [server, a1] = await Promise.all([
    makeCertificate(authority, "server", NOW, ["127.0.0.1"]),
    makeA1(authority, { cnpj: CNPJ, name: "Empresa", password: "x" }, NOW),
  ]);
  return { authority, server, a1 };
}
