// Files of invoices and links to them (message-webhooks part B §4): DANFSe, NFS-e, signed DPS, and the answer of the tax authority.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FileLinks } from "../../../src/services/platform/files/file-links.ts";
import { graphql } from "../../support/graphql-client.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { TransmissionStage } from "./transmission-stage.ts";

const KINDS = ["pdf", "xml", "dps", "response"] as const;

let stage: TransmissionStage;
let live: Awaited<ReturnType<TransmissionStage["ready"]>>;
let invoice: { readonly id: string };
beforeAll(async () => {
  stage = await TransmissionStage.open();
  live = await stage.ready();
  invoice = await live.emit();
  await stage.work();
});
afterAll(() => stage?.close());

const link = (kind: string, id = invoice.id) => live.ask("GET", `/invoices/${id}/files/${kind}`);
/** Without a credential. */
const follow = (path: string) => call(stage.selo, "GET", path);
/** The path of a link below /api/v1. */
const pathOf = ({ body }: Awaited<ReturnType<typeof link>>) => new URL(body.url).pathname.slice("/api/v1".length);

test("a link leads to each file without a credential, for five minutes, and to the bytes of /raw", async () => {
  const asked = Date.now();
  for (const kind of KINDS) {
    const made = await link(kind);
    expect(made.status).toBe(200);
    expect(Object.keys(made.body)).toEqual(["url", "expires_at"]);
    expect(made.body.url).toContain(`/api/v1/invoice-files/${kind}/`);
    const left = Date.parse(made.body.expires_at) - asked;
    expect(left).toBeGreaterThanOrEqual(300_000);
    expect(left).toBeLessThanOrEqual(300_000 + Date.now() - asked);
    const file = await follow(pathOf(made));
    expect(file.status).toBe(200);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      "content-type": { pdf: "application/pdf", response: "application/json" }[kind as string] ?? "application/xml",
      "content-disposition": expect.stringMatching(/^attachment; filename=/),
      "content-security-policy": "sandbox; default-src 'none'",
      "cache-control": "no-store",
    });
    const raw = await live.ask("GET", `/invoices/${invoice.id}/files/${kind}/raw`);
    if (kind === "response") expectError(raw, 404, "not_found");
    else {
      expect(raw.status).toBe(200);
      if (kind !== "pdf") expect(file.bytes.equals(raw.bytes)).toBe(true);
    }
  }
});

test("the answer of the tax authority is the JSON that it sent", async () => {
  const { body } = await follow(pathOf(await link("response")));
  const { access_key } = await live.read(invoice.id);
  expect(body).toMatchObject({ chaveAcesso: access_key, idDps: expect.stringMatching(/^DPS\d{42}$/) });
});

test("a rejection has an answer and a DPS, and no NFS-e", async () => {
  const draft = (await live.ask("POST", "/invoices", { ...invoiceMembers(), emit: false })).body;
  for (const kind of KINDS) expectError(await link(kind, draft.id), 404, "file_missing");
  stage.simulator.setScenario({
    next: [{ kind: "reject", errors: [{ code: "E0310", message: "Código inválido" }] }],
  });
  await live.ask("POST", `/invoices/${draft.id}/emit`);
  await stage.work();
  expect((await live.read(draft.id)).status).toBe("rejected");
  for (const kind of ["pdf", "xml"]) expectError(await link(kind, draft.id), 404, "file_missing");
  expect((await follow(pathOf(await link("dps", draft.id)))).text).toContain("infDPS");
  expect((await follow(pathOf(await link("response", draft.id)))).text).toContain("E0310");
});

test("a link of one file leads to no other, and nothing but a link leads to a file", async () => {
  const path = pathOf(await link("xml"));
  const token = path.slice(path.lastIndexOf("/") + 1);
  for (const other of ["pdf", "dps", "response", "x", "XML"])
    expectError(await follow(`/invoice-files/${other}/${token}`), 404, "not_found");
  expectError(await follow(`/files/${token}`), 404, "not_found");
  for (const wrong of [token.slice(1), `${token}A`, `${token.startsWith("A") ? "B" : "A"}${token.slice(1)}`, "x"])
    expectError(await follow(`/invoice-files/xml/${wrong}`), 404, "not_found");
  for (const method of ["POST", "PUT", "DELETE"]) expect((await call(stage.selo, method, path)).status).toBe(404);
  // Late, and of another organization: signed as the gateway signs.
  const { rows } = await stage.selo.database.admin.query<{ id: string }>(
    "select file_id as id from invoicing.transmissions where invoice_id = $1",
    [invoice.id],
  );
  const at = (ms: number) => new FileLinks(masterKeys, "http://selo.test", () => new Date(Date.now() + ms));
  const file = { tenantId: stage.organization.id, environment: "live" as const, objectId: rows[0]?.id ?? "" };
  const pathAt = (ms: number, changed: object = {}) =>
    new URL(at(ms).downloadLink("/api/v1/invoice-files/xml/", { ...file, ...changed }).url).pathname.slice(
      "/api/v1".length,
    );
  expect((await follow(pathAt(-240_000))).status).toBe(200);
  for (const forged of [
    pathAt(-300_001),
    pathAt(0, { tenantId: (await stage.selo.newOrganization({ name: "Other" })).id }),
    pathAt(0, { environment: "test" }),
    // Ids of invoices are shown: they name no file.
    pathAt(0, { objectId: invoice.id }),
  ])
    expectError(await follow(forged), 404, "not_found");
});

test("an unknown kind is refused, an unknown invoice is not found, and another organization finds nothing", async () => {
  for (const kind of ["XML", "zip"]) expectError(await link(kind), 422, "invalid_request", ["kind"]);
  expectError(await link("xml", "0197a0c0-0000-7000-8000-000000000001"), 404, "not_found");
  const other = await stage.selo.newOrganization({ name: "Stranger" });
  for (const token of [other.live, stage.organization.test])
    for (const kind of ["xml", "xml/raw"])
      expectError(await call(stage.selo, "GET", `/invoices/${invoice.id}/files/${kind}`, { token }), 404, "not_found");
});

test("DANFSe are drawn for one organization in its turn: who asks for too many at once gets 503", async () => {
  const path = pathOf(await link("pdf"));
  const answers = await Promise.all(Array.from({ length: 60 }, () => follow(path)));
  const statuses = answers.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  for (const answer of answers) if (answer.status === 503) expectError(answer, 503, "unavailable");
  expect((await follow(path)).status).toBe(200);
});

test("GraphQL answers the same link", async () => {
  const query = "query ($id: ID!, $kind: String!) { invoiceFileLink(id: $id, kind: $kind) { url expiresAt } }";
  const answer = await graphql(stage.selo, stage.organization.live, query, { id: invoice.id, kind: "xml" });
  const { url } = (answer.data as { invoiceFileLink: { url: string } }).invoiceFileLink;
  const file = await follow(new URL(url).pathname.slice("/api/v1".length));
  const raw = await live.ask("GET", `/invoices/${invoice.id}/files/xml/raw`);
  const digest = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
  expect(digest(file.bytes)).toBe(digest(raw.bytes));
});

test("no log has a token of a link", async () => {
  const path = pathOf(await link("dps"));
  await follow(path);
  const logged = stage.selo.logs.join("");
  expect(logged).toContain("/invoice-files/:kind/:token");
  expect(logged).not.toContain(path.slice(path.lastIndexOf("/") + 1));
});

const invoiceMembers = () => ({
  customer_id: live.customer.id,
  service_id: live.service.id,
  issuer_id: live.issuer.id,
  amount_services: "1000.00",
});
