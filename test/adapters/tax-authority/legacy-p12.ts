// PKCS#12 files as old programs of ICP-Brasil write them: RC2 with 40 bits for certificates, triple DES for the key. OpenSSL writes them.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import type { TaxIdentity } from "../../../src/adapters/tax-authority/sign-xml.ts";

/** The PKCS#12 file of an identity, encrypted by RC2-40 and triple DES. */
export function legacyP12({ certificate, privateKey }: TaxIdentity, password: string): Buffer {
  const folder = mkdtempSync(join(os.tmpdir(), "selo-p12-"));
  try {
    writeFileSync(join(folder, "both.pem"), privateKey + certificate, { mode: 0o600 });
    const { status, stdout, stderr } = spawnSync(
      "openssl",
      ["pkcs12", "-export", "-legacy", "-in", "both.pem", "-passout", "env:P12_PASSWORD"],
      { cwd: folder, env: { ...process.env, P12_PASSWORD: password } },
    );
    if (status !== 0) throw new Error(stderr.toString());
    return stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
