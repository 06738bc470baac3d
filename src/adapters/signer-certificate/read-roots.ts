import { X509Certificate } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { ConfigError } from "../../config/config.ts";
import { parseCertificate } from "./child/certificate.ts";
import { authorityOf, mayBeUsedFor, USAGE } from "./child/extensions.ts";
import { isSameName } from "./child/names.ts";

/** An authority of the operator's folder. */
export interface Root {
  /** DER. */
  readonly certificate: Buffer;
  /** DER of its name. */
  readonly subject: Buffer;
  /** It signed itself: paths may end at it. Others of the folder complete chains that lack them, and are trusted no more than the sender's. */
  readonly isRoot: boolean;
}

const ENDINGS = [".pem", ".crt", ".cer", ".der"];
const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Reads the authorities in a folder: PEM or DER in files that end in .pem, .crt, .cer or .der. A file in PEM may have several. Subfolders and other
 * files are passed over.
 * @param setting the environment variable that names the folder, for messages
 * @throws ConfigError for a folder or file that cannot be read, a certificate that is not an authority's, a folder without a root
 */
export async function readRoots(setting: string, folder: string): Promise<readonly Root[]> {
  const files = await readable(setting, () => fs.readdir(folder, { withFileTypes: true }));
  const roots = new Map<string, Root>();
  for (const { name } of files.filter(isCertificateFile).sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const bytes = await readable(setting, () => fs.readFile(path.join(folder, name)));
    for (const root of rootsIn(setting, name, bytes)) roots.set(root.certificate.toString("base64"), root);
  }
  const found = [...roots.values()];
  if (!found.some(({ isRoot }) => isRoot))
    throw new ConfigError(`${setting}: the folder has no root certificate in ${ENDINGS.join(", ")} files`);
  return found;
}

const isCertificateFile = (file: { name: string; isDirectory(): boolean }): boolean =>
  !file.isDirectory() && ENDINGS.includes(path.extname(file.name).toLowerCase());

async function readable<T>(setting: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new ConfigError(`${setting}: ${(error as Error).message}`, { cause: error });
  }
}

function rootsIn(setting: string, file: string, bytes: Buffer): Root[] {
  const texts = bytes[0] === 0x30 ? [bytes] : (bytes.toString("latin1").match(PEM) ?? []);
  if (texts.length === 0) throw new ConfigError(`${setting}: ${file} has no certificate in PEM or DER`);
  return texts.map((text) => rootOf(setting, file, text));
}

function rootOf(setting: string, file: string, text: Buffer | string): Root {
  try {
    const parsed = parseCertificate(new X509Certificate(text).raw);
    const { isAuthority } = authorityOf(parsed);
    if (isAuthority && mayBeUsedFor(parsed, USAGE.keyCertSign) !== false)
      return {
        certificate: parsed.der,
        subject: parsed.subject,
        // A key that OpenSSL does not know verifies nothing. ITI's archive has those of tomorrow, too.
        isRoot: isSameName(parsed.subject, parsed.issuer) && parsed.key !== null && parsed.x509.verify(parsed.key),
      };
  } catch (error) {
    throw new ConfigError(`${setting}: ${file}: ${(error as Error).message}`, { cause: error });
  }
  throw new ConfigError(`${setting}: ${file} has a certificate that is not an authority's`);
}
