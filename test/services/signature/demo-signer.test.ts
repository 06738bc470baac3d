// What `npm start` makes for trying signatures with a certificate of one's own: a root, and a file that programs of others read.
import { X509Certificate } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readPkcs12 } from "../../../src/adapters/certificates/read-pkcs12.ts";
import { readRoots } from "../../../src/adapters/signer-certificate/read-roots.ts";
import { ensureDemoSigner } from "../../../src/services/signature/demo/ensure-demo-signer.ts";
import { openFile } from "../../../src/web/sign/certificate/open-file.ts";
import { openssl } from "../../adapters/certificates/pkcs12-files.ts";

function dataFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-demo-signer-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}
const rootsIn = (folder: string) =>
  fs.readdirSync(folder).map((file) => fs.readFileSync(path.join(folder, file), "utf8"));

test("openssl, the page and the gateway read the file, and its chain ends at the root", async () => {
  const folder = dataFolder();
  const { roots, p12, password } = await ensureDemoSigner(folder);
  const file = fs.readFileSync(p12);
  const [root = ""] = rootsIn(roots);
  expect((await readRoots("ICP_BRASIL_TEST_ROOTS", roots)).map(({ isRoot }) => isRoot)).toEqual([true]);
  const { certificate, chain, subject } = await readPkcs12(file, password);
  expect(subject).toBe("C=BR, O=ICP-Brasil, CN=MARINA COSTA DE OLIVEIRA:52998224725");
  const verified = openssl(
    ["verify", "-x509_strict", "-purpose", "smimesign", "-CAfile", "{root}", "-untrusted", "{chain}", "{leaf}"],
    {
      root,
      chain: chain[0] ?? "",
      leaf: certificate,
    },
  );
  expect(verified.toString()).toMatch(/: OK\n$/);
  const opened = openssl(["pkcs12", "-in", "{file}", "-passin", `pass:${password}`, "-nokeys", "-clcerts"], { file });
  expect(opened.toString()).toContain(certificate);
  const answer = await openFile(Uint8Array.from(file), password);
  expect(answer).toMatchObject({ own: { cpf: "•••.982.247-••", chain: { length: 3 } } });
  expect(fs.statSync(p12).mode & 0o777).toBe(0o600);
});

test("a later start finds it again; before it expires another one is made, and the old root stays", async () => {
  const folder = dataFolder();
  const first = await ensureDemoSigner(folder);
  const bytes = fs.readFileSync(first.p12);
  const ends = new X509Certificate(rootsIn(first.roots)[0] ?? "").validToDate.getTime();
  const daysBefore = (days: number) => new Date(ends - days * 86_400_000);
  expect(await ensureDemoSigner(folder, daysBefore(31))).toEqual(first);
  expect(fs.readFileSync(first.p12)).toEqual(bytes);
  expect(await ensureDemoSigner(folder, daysBefore(29))).toEqual(first);
  expect(fs.readFileSync(first.p12)).not.toEqual(bytes);
  expect(rootsIn(first.roots)).toHaveLength(2);
  // The newer root is what counts.
  const renewed = fs.readFileSync(first.p12);
  await ensureDemoSigner(folder, daysBefore(29));
  expect(fs.readFileSync(first.p12)).toEqual(renewed);
});

test("what was deleted or damaged is made again", async () => {
  const folder = dataFolder();
  const { p12, roots } = await ensureDemoSigner(folder);
  fs.rmSync(p12);
  await ensureDemoSigner(folder);
  expect(fs.existsSync(p12)).toBe(true);
  fs.rmSync(roots, { recursive: true });
  const before = fs.readFileSync(p12);
  await ensureDemoSigner(folder);
  expect(fs.readFileSync(p12)).not.toEqual(before);
  expect(rootsIn(roots)).toHaveLength(1);
});
