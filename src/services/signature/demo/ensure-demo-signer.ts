import { X509Certificate } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";

/** A root that the test environment trusts, and a person whose certificate it issued. */
export interface DemoSigner {
  /** The folder of the root. */
  readonly roots: string;
  readonly p12: string;
  readonly password: string;
}

/** Anybody may know it: only the test environment of this data folder trusts the certificate. */
const PASSWORD = "selo-demo";
/** A certificate that ends sooner is made anew, with another root. */
const LEAST_LEFT_MS = 30 * 86_400_000;

/**
 * Makes a test root and `signer.p12` in the data folder, once, and again before they expire. The root's key is kept nowhere: a new certificate has a new root,
 * and the old one stays, for what it signed.
 */
export async function ensureDemoSigner(dataDir: string, now: Date = new Date()): Promise<DemoSigner> {
  const roots = path.join(dataDir, "icp-brasil-test-roots");
  const p12 = path.join(dataDir, "signer.p12");
  const signer = { roots, p12, password: PASSWORD };
  if ((await isThere(p12)) && (await lastsUntil(roots)) - now.getTime() > LEAST_LEFT_MS) return signer;
  // Loaded only where something is made: most starts make nothing.
  const { makeDemoSigner } = await import("./make-demo-signer.ts");
  const made = await makeDemoSigner(PASSWORD, now);
  await fs.mkdir(roots, { recursive: true });
  await writeWhole(path.join(roots, `${made.serial}.pem`), made.root);
  await writeWhole(p12, made.p12);
  return signer;
}

const isThere = (file: string): Promise<boolean> =>
  fs.access(file).then(
    () => true,
    () => false,
  );

/** When the newest root ends, and with it what it issued; 0 without a root. */
async function lastsUntil(folder: string): Promise<number> {
  const files = await fs.readdir(folder).catch(() => []);
  const ends = await Promise.all(
    files.filter((file) => file.endsWith(".pem")).map((file) => endOf(path.join(folder, file))),
  );
  return Math.max(0, ...ends);
}

async function endOf(file: string): Promise<number> {
  try {
    return new X509Certificate(await fs.readFile(file)).validToDate.getTime();
  } catch {
    return 0;
  }
}

/** Whole or not at all, for its owner alone. */
async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  await fs.writeFile(`${file}.new`, content, { mode: 0o600 });
  await fs.rename(`${file}.new`, file);
}
