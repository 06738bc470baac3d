import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const storedNfse = z.strictObject({
  dps_id: z.string(),
  access_key: z.string(),
  nfse_number: z.string(),
  issuer: z.string(),
  xml: z.string(),
  event_xml: z.string().nullable(),
});

/** An NFS-e of the simulator, and the event that cancelled it. */
export type StoredNfse = z.infer<typeof storedNfse>;

/** The NFS-e of the simulator: one file for each, replaced in one step, read when the simulator starts. */
export class DocumentsFolder {
  readonly #folder: string;
  readonly #byDps = new Map<string, StoredNfse>();
  readonly #byKey = new Map<string, StoredNfse>();
  readonly #counts = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder).filter((entry) => entry.endsWith(".json")))
      this.#index(storedNfse.parse(JSON.parse(readFileSync(join(folder, name), "utf8"))));
  }

  ofDps(dpsId: string): StoredNfse | undefined {
    return this.#byDps.get(dpsId);
  }

  ofKey(accessKey: string): StoredNfse | undefined {
    return this.#byKey.get(accessKey);
  }

  /** The number of the issuer's next NFS-e. */
  nextNumber(issuer: string): number {
    return (this.#counts.get(issuer) ?? 0) + 1;
  }

  store(document: StoredNfse): void {
    writeWhole(join(this.#folder, `${document.access_key}.json`), JSON.stringify(document));
    this.#index(document);
  }

  /** How many NFS-e each DPS became. */
  counts(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { dps_id } of this.#byKey.values()) counts[dps_id] = (counts[dps_id] ?? 0) + 1;
    return counts;
  }

  #index(document: StoredNfse): void {
    this.#byDps.set(document.dps_id, document);
    this.#byKey.set(document.access_key, document);
    const most = Math.max(this.#counts.get(document.issuer) ?? 0, Number(document.nfse_number));
    this.#counts.set(document.issuer, most);
  }
}

/** Replaces a file in one step, so that no reader and no crash meets half of it. */
export function writeWhole(path: string, content: string, mode = 0o600): void {
  const draft = `${path}.new`;
  writeFileSync(draft, content, { mode });
  renameSync(draft, path);
}

/** The content of a file; null when it does not exist. */
export function readIfPresent(path: string): string | null {
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}
