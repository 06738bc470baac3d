// All other tests of checks, seals and certificates run the same bundles (test/support/bundled-programs.ts), and may read packages.
import { X509Certificate } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PDF_LIMITS } from "../../../src/adapters/pdf-check/check-pdf.ts";
import { makeSealCertificate } from "../../../src/adapters/pdf-seal/certificate.ts";
import type { Plan } from "../../../src/adapters/pdf-seal/plan.ts";
import { sealerFolders } from "../../../src/adapters/pdf-seal/sealer-folders.ts";
import { bundlePrograms } from "../../../src/adapters/programs/bundle-programs.ts";
import { codeFolders } from "../../../src/adapters/programs/code-folders.ts";
import { runConfined } from "../../../src/adapters/programs/confined-program.ts";
import { packageRoot } from "../../../src/adapters/programs/package-root.ts";
import { byOpenssl, certificateOf, rsaKey } from "../certificates/pkcs12-files.ts";
import { withText } from "../pdf-seal/kinds.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-bundle-"));
beforeAll(() => bundlePrograms(packageRoot(), folder));
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** What a program answers as a source, and as a bundle that may read nothing else. */
async function answers(program: string, argument: string, input: Buffer, folders = sealerFolders()) {
  const source = path.join(packageRoot(), program);
  const bundle = path.join(folder, path.dirname(program), "main.js");
  return Promise.all(
    [
      { program: source, folders },
      { program: bundle, folders: [path.dirname(bundle)] },
    ].map(async (each) => {
      const pieces: Buffer[] = [];
      const parts = (async function* () {
        yield input;
      })();
      const { end } = await runConfined({
        ...each,
        argument,
        input: parts,
        limits: PDF_LIMITS,
        onPiece: (piece) => pieces.push(piece),
      });
      return { end, output: Buffer.concat(pieces).toString("latin1") };
    }),
  );
}

test("a bundled checker finds what its source does", async () => {
  const argument = JSON.stringify({ bytes: PDF_LIMITS.bytes, pages: 10, cpuSeconds: 20 });
  const [source, bundle] = await answers("src/adapters/pdf-check/child/main.ts", argument, withText);
  expect(bundle).toEqual(source);
  expect(source).toMatchObject({ end: { by: "itself", code: 0 }, output: expect.stringContaining('"ready"') });
});

test("a bundled sealer writes what its source does", async () => {
  const { certificate } = await makeSealCertificate("Padaria São João", "test", new Date("2026-11-23T10:00:00Z"));
  const plan: Plan = {
    signature: {
      at: "2026-11-23T10:00:00.000Z",
      reason: "Signed",
      certificate: Buffer.from(certificate).toString("base64"),
      room: 4096,
    },
    overlay: { pages: [1], boxes: [[{ x: 72, y: 72, width: 200, height: 50 }]], pdf: withText.toString("base64") },
  };
  const told = Buffer.from(JSON.stringify(plan));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(told.length);
  const input = Buffer.concat([length, told, withText]);
  const [source, bundle] = await answers("src/adapters/pdf-seal/child/main.ts", String(input.length), input);
  expect(bundle).toEqual(source);
  expect(source).toMatchObject({ end: { by: "itself", code: 0 }, output: expect.stringContaining("/ByteRange") });
});

test("a bundled reader of certificates reads what its source does", async () => {
  const key = rsaKey();
  const file = byOpenssl({ key, certificate: certificateOf(key) }, "senha");
  const input = Buffer.concat([Buffer.of(0, 0, 0, 5), Buffer.from("senha"), file]);
  const own = ["src/adapters/certificates", "src/pkcs12"].map((folder) => path.join(packageRoot(), folder));
  const folders = codeFolders(own, () => import.meta.resolve("node-forge"));
  const program = "src/adapters/certificates/child/main.ts";
  const [source, bundle] = await answers(program, String(input.length), input, folders);
  expect(bundle).toEqual(source);
  expect(source).toMatchObject({ end: { by: "itself", code: 0 }, output: expect.stringContaining('"key_bits":2048') });
});

test("a bundled judge of certificates answers what its source does", async () => {
  const key = rsaKey();
  const chain = [new X509Certificate(certificateOf(key)).raw.toString("base64")];
  const order = Buffer.from(
    JSON.stringify({ task: "judge", chain, authorities: [], at: "2026-11-30T10:00:00Z", cpf: null }),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32BE(order.length);
  const input = Buffer.concat([length, order]);
  const folders = ["signer-certificate", "certificates"].map((name) => path.join(packageRoot(), "src/adapters", name));
  const [source, bundle] = await answers(
    "src/adapters/signer-certificate/child/main.ts",
    String(input.length),
    input,
    folders,
  );
  expect(bundle).toEqual(source);
  expect(source).toMatchObject({
    end: { by: "itself", code: 0 },
    output: expect.stringContaining('"refused":"chain"'),
  });
});
