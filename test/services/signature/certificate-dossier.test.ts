// What is left of signatures with certificates: revocation, evidence, report and dossier. openssl is the issuer, and python3 verifies.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readKeys } from "../../../src/verifier/keys.ts";
import { type Worker, workerOf } from "../../support/compose-mails.ts";
import type { TestGateway } from "../../support/gateway.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { readyDocument } from "../../support/uploads.ts";
import { verifiedDossier } from "../../verifier/sealed-dossier-stage.ts";
import { opened, sendCertificate, signedWith, startCertificateGateway } from "./certificate-stage.ts";
import { completing, evidenceOf, sentWith } from "./completion-stage.ts";
import { dossierOf, filesOf, unpacked, zipOf } from "./dossier-stage.ts";
import { type EnvelopeStage, openStage } from "./envelope-stage.ts";
import { reportOf } from "./report-stage.ts";
import { startResponder } from "./responder-stage.ts";

const responder = await startResponder();
const { icp } = responder;
const [maria, ana] = [icp.holder(), icp.holder({ name: "ANA PRADO", cpf: "39053344705" })];
responder.knows(ana);

let selo: TestGateway;
let stage: EnvelopeStage;
let live: EnvelopeStage;
let worker: Worker;
beforeAll(async () => {
  selo = await startCertificateGateway(icp, { WEBHOOK_ALLOW_LOOPBACK: "1", ICP_BRASIL_ROOTS: icp.folder });
  stage = await openStage(selo);
  live = await openStage(selo, "live");
  await selo.operator.grantCredits(live.tenantId, "icp_brasil", 5);
  worker = workerOf({ selo });
});
afterAll(async () => {
  await worker.end();
  await selo.stop();
  responder.stop();
});

const QUALIFIED = { modality: "qualificada" };
const uploadOf = (to: EnvelopeStage) => ({ upload: async () => (await readyDocument(selo, to.token)).id });

test("a revoked certificate is refused, and in live one that nobody answers for", async () => {
  const { links } = await sentWith(stage, [{ body: QUALIFIED }], {}, uploadOf(stage));
  responder.revokes(maria);
  const refused = await sendCertificate(
    stage,
    links[0],
    await opened(stage, links[0]),
    icp.holder({ name: "X" }).chain,
  );
  // The responder does not know this one: unknown is not revoked, and test goes on.
  expect(refused.status).toBe(200);
  const answer = await sendCertificate(stage, links[0], await opened(stage, links[0]), maria.chain);
  expectError(answer, 422, "certificate_refused", ["certificate"]);
  expect(answer.body.fields[0].message).toBe("revoked: its issuer revoked the certificate on 2026-11-01T12:00:00.000Z");
  responder.answers = false;
  const alive = await sentWith(live, [{ body: QUALIFIED }], {}, uploadOf(live));
  const unknown = await sendCertificate(live, alive.links[0], await opened(live, alive.links[0]), ana.chain);
  expectError(unknown, 503, "revocation_unknown");
  expect(Number(unknown.headers.get("retry-after"))).toBeGreaterThan(0);
});

test("the dossier has the certificates and what their issuers said, and verifiers agree", async () => {
  const made = await sentWith(
    stage,
    [{ body: QUALIFIED }, { body: { ...QUALIFIED, name: "Ana Prado", email: "a@example.com" } }],
    {},
    uploadOf(stage),
  );
  for (const [place, holder] of [icp.holder(), ana].entries()) {
    responder.answers = place > 0;
    const done = await signedWith(stage, made.links[place] as (typeof made.links)[0], holder);
    expect([done.status, done.text]).toEqual([200, done.text]);
  }
  await completing(stage, made.id, worker);
  const { records } = await evidenceOf(stage, made.id);
  expect(
    records.map(({ evidence }: { evidence: { revocation: { status: string } } }) => evidence.revocation.status),
  ).toEqual(["not_checked", "good"]);
  const answers = records[1].evidence.revocation.answers as readonly { kind: string; sha256: string }[];
  expect(answers.length).toBeGreaterThan(0);

  const zip = (await dossierOf(stage, made.id)).bytes;
  const dossier = unpacked(zip);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-certificates-"));
  try {
    const names = answers.map(({ kind, sha256 }) => `revocation/${sha256}.${kind}`);
    expect(dossier.names).toEqual(expect.arrayContaining(["certificates.pem", ...names]));
    const pem = dossier.read("certificates.pem").toString();
    expect(pem.match(/BEGIN CERTIFICATE/g)).toHaveLength(4);
    const keys = (await call(selo, "GET", "/public/platform-key")).text;
    fs.writeFileSync(path.join(folder, "keys.json"), keys);
    /** What is wrong with a dossier: our verifier's checks that fail, and what the Python program says. */
    const wrong = async (bytes: Buffer) => {
      const { checks } = await verifiedDossier(bytes, readKeys(keys));
      fs.writeFileSync(path.join(folder, "dossier.zip"), bytes);
      const program = path.join(import.meta.dirname, "../../verifier/envelope_report.py");
      const theirs = execFileSync("python3", [program, "dossier.zip", "keys.json"], { cwd: folder, encoding: "utf8" });
      return [checks.filter(({ result }) => result === "failed").map(({ name }) => name), JSON.parse(theirs).faults];
    };
    expect(await wrong(zip)).toEqual([[], []]);
    const files = filesOf(zip);
    const { "certificates.pem": _pem, ...without } = files;
    const [first = "", second = ""] = pem.split(/(?<=-----END CERTIFICATE-----\n)/);
    const swapped = Buffer.from(pem.replace(first + second, second + first));
    for (const [changed, fault] of [
      [without, "has other certificates"],
      [{ ...files, "certificates.pem": swapped }, "has other certificates"],
      [{ ...files, [names[0] ?? ""]: Buffer.from("good") }, "has another answer of an issuer"],
      [{ ...files, "revocation/more.crl": Buffer.from("") }, "has other files"],
    ] as const)
      expect(await wrong(await zipOf(changed))).toEqual([["file"], [fault]]);
  } finally {
    dossier.remove();
    fs.rmSync(folder, { recursive: true });
  }
  const report = (await reportOf(stage, made.id)).bytes;
  const text = execFileSync("pdftotext", ["-layout", "-", "-"], { input: report, encoding: "utf8" });
  for (const words of ["MARIA SOUZA", "CPF ***.982.247-**", "not_checked", "ANA PRADO"]) expect(text).toContain(words);
});
