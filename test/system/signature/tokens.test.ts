// Signatures of a token over HTTP, by the commands of the guide: the token is SoftHSM, which signs through pkcs11-tool.
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ecKey, rsaKey } from "../../adapters/certificates/pkcs12-files.ts";
import { isSound, signaturesOf as signaturesIn } from "../../adapters/pdf-seal/seal-stage.ts";
import { derOf } from "../../adapters/signer-certificate/authority.ts";
import {
  authorities,
  completeWith,
  finalOf,
  type Holder,
  opened,
  startCertificateGateway,
} from "../../services/signature/certificate-stage.ts";
import { completing, sentWith } from "../../services/signature/completion-stage.ts";
import { type EnvelopeStage, openStage } from "../../services/signature/envelope-stage.ts";
import type { Link } from "../../services/signature/signing-stage.ts";
import { type Worker, workerOf } from "../../support/compose-mails.ts";
import { codeBlocks, readDocument } from "../../support/documents.ts";
import type { TestGateway } from "../../support/gateway.ts";
import { readyDocument } from "../../support/uploads.ts";

const MODULE = "/usr/lib/softhsm/libsofthsm2.so";
const PIN = "2468";
const GUIDE = readDocument("src/web/guides/signatures.md");

/** The one block of the guide with this in it. */
function blockWith(known: RegExp): string {
  const [block, ...others] = codeBlocks(GUIDE).filter(({ code }) => known.test(code));
  if (block === undefined || others.length > 0) throw new Error(`${known} is not in one block of the guide`);
  return block.code;
}
const RSA = blockWith(/--mechanism SHA256-RSA-PKCS/);
const ECDSA = blockWith(/--mechanism ECDSA /);
/** All but the signature. */
const FETCH = RSA.slice(0, RSA.search(/^pkcs11-tool .*--sign /m));
/** Functions that blocks before it define. */
const FUNCTIONS = ["get", "sign"].map((name) => new RegExp(`^${name}\\(\\) .*$`, "m").exec(GUIDE)?.[0] ?? "");

const icp = authorities();
// Tokens often have the certificate of the person alone.
fs.writeFileSync(path.join(icp.folder, "below.pem"), icp.intermediate.certificate);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-token-"));
let selo: TestGateway;
let stage: EnvelopeStage;
let worker: Worker;
beforeAll(async () => {
  fs.mkdirSync(path.join(folder, "tokens"));
  fs.writeFileSync(path.join(folder, "softhsm2.conf"), `directories.tokendir = ${folder}/tokens\nlog.level = ERROR\n`);
  selo = await startCertificateGateway(icp);
  stage = await openStage(selo);
  worker = workerOf({ selo });
});
afterAll(async () => {
  await worker?.end();
  await selo?.stop();
  fs.rmSync(folder, { recursive: true });
});

const environment = {
  ...process.env,
  PATH: `${path.dirname(process.execPath)}:${process.env["PATH"]}`,
  SOFTHSM2_CONF: path.join(folder, "softhsm2.conf"),
};
/** The process goes on meanwhile: the gateway that the commands ask is in it. */
const run = (program: string, ...words: readonly string[]) =>
  promisify(execFile)(program, words, { cwd: folder, env: environment });

/** A token with the key and the certificate of a person. */
async function aToken(label: string, { key, ...made }: Holder): Promise<void> {
  fs.writeFileSync(path.join(folder, "key.pem"), key);
  fs.writeFileSync(path.join(folder, "holder.der"), derOf(made));
  const softhsm = (...words: readonly string[]) => run("softhsm2-util", "--module", MODULE, ...words);
  await softhsm("--init-token", "--free", "--label", label, "--so-pin", PIN, "--pin", PIN);
  await softhsm("--import", "key.pem", "--token", label, "--label", "person", "--id", "01", "--pin", PIN);
  const object = ["--write-object", "holder.der", "--type", "cert", "--id", "01", "--label", "person"];
  await run("pkcs11-tool", "--module", MODULE, "--token-label", label, "--login", "--pin", PIN, ...object);
}

/** The block with this token: a person types the PIN, and has one token. */
const withToken = (block: string, label: string) =>
  block
    .replace(/^MODULE=.*$/m, `MODULE="${MODULE} --token-label ${label}"`)
    .replaceAll("--login", `--login --pin ${PIN}`);

/** What the commands leave in SIGNATURE. */
async function signedBy(link: Link, session: string, label: string, blocks: readonly string[]): Promise<string> {
  const script = [
    "set -eu",
    `SELO_URL=${selo.baseUrl} SECRET=${link.secret} SESSION=${session} SIGNER=${link.participantId}`,
    ...FUNCTIONS,
    ...blocks.map((block) => withToken(block, label)),
    'printf "%s" "$SIGNATURE" > signature.txt',
  ];
  fs.writeFileSync(path.join(folder, "script.sh"), script.join("\n"));
  await run("sh", "script.sh");
  return fs.readFileSync(path.join(folder, "signature.txt"), "utf8");
}

test.each([
  ["RSA", () => rsaKey(), [RSA]],
  ["ECDSA", () => ecKey(), [FETCH, ECDSA]],
  ["ECDSA-P-384", () => ecKey("P-384"), [FETCH, ECDSA]],
] as const)("a token signs with %s by the commands of the guide", async (label, key, blocks) => {
  await aToken(label, icp.holder({ key: key() }));
  const upload = async () => (await readyDocument(selo, stage.token)).id;
  const { id, documentId, links } = await sentWith(stage, [{ body: { modality: "qualificada" } }], {}, { upload });
  const session = await opened(stage, links[0]);
  const signature = await signedBy(links[0], session, label, blocks);
  const done = await completeWith(stage, links[0], session, [{ document_id: documentId, signature }]);
  expect([done.status, done.text]).toEqual([200, done.text]);
  await completing(stage, id, worker);
  const sealed = await finalOf(stage, id, documentId);
  expect(isSound(sealed)).toBe(true);
  expect(signaturesIn(sealed)).toMatchObject([
    { signer: "MARIA SOUZA:52998224725", isValid: true },
    { signer: "Selo selo.test (TEST)", isValid: true },
  ]);
});
