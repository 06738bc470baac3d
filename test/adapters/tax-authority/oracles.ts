// Programs of others that judge what we write: xmllint by the official schemas, xmlsec1 for signatures.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import { join, resolve } from "node:path";
import { packageRoot } from "../../../src/adapters/programs/package-root.ts";

/** The schemas are the government's, and lie beside the repository where it is developed. */
const SCHEMAS = resolve(packageRoot(), "../shared/nfse/xsd");
export const NO_SCHEMAS = `the schemas of layout 1.01 are not at ../shared/nfse/xsd`;
export const hasSchemas = existsSync(join(SCHEMAS, "DPS_v1.01.xsd"));

/** What xmllint says against documents, for each of them: empty for one that is valid. */
export function schemaFaults(schema: string, documents: readonly string[]): string[] {
  return inFolder((folder) => {
    const names = documents.map((xml, index) => {
      writeFileSync(join(folder, `${index}.xml`), xml);
      return `${index}.xml`;
    });
    const { stderr, error } = spawnSync("xmllint", ["--noout", "--schema", join(SCHEMAS, schema), ...names], {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    });
    if (error) throw error;
    const lines = stderr.split("\n");
    return names.map((name) => {
      if (lines.includes(`${name} validates`)) return "";
      return lines.filter((line) => line.startsWith(`${name}:`)).join("\n") || "not judged";
    });
  });
}

/** Whether xmlsec1 accepts the signature of the root, made by a certificate of an authority. */
export function signatureHolds(xml: string, signed: string, authorityPem: string): boolean {
  return inFolder((folder) => {
    writeFileSync(join(folder, "signed.xml"), xml);
    writeFileSync(join(folder, "authority.pem"), authorityPem);
    const { status, error } = spawnSync(
      "xmlsec1",
      [
        "--verify",
        ...[signed, "infDPS", "infPedReg"].flatMap((name) => ["--id-attr:Id", name]),
        ...["--node-xpath", '/*/*[local-name()="Signature"]'],
        ...["--trusted-pem", "authority.pem", "--enabled-key-data", "x509,rsa", "signed.xml"],
      ],
      { cwd: folder },
    );
    if (error) throw error;
    return status === 0;
  });
}

function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(os.tmpdir(), "selo-nfse-"));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
