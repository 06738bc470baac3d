import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { Config } from "../../config/config.ts";

/** A kept mail. */
export interface KeptMail {
  /** The id sorts by time of arrival. */
  readonly id: string;
  readonly receivedAt: Date;
}

const MOST = 200;
const FILE_NAME = /^(\d{13}-[0-9a-f]{8})\.eml$/;

/** The inbox in the data folder. */
export function inboxOf({ dataDir }: Pick<Config, "dataDir">): Inbox {
  return new Inbox(path.join(dataDir, "inbox"));
}

/** Mails as files of a folder, each as it came over the wire. The newest 200 stay. */
export class Inbox {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Keeps a mail in a file that only its owner can read.
   * @param as time and key (8 hexadecimal digits) of a mail that may be kept again: it replaces itself. By default a new mail of now
   */
  keep(raw: Buffer, as: { readonly at: Date; readonly key: string } | null = null): void {
    fs.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const { at, key } = as ?? { at: new Date(), key: randomBytes(4).toString("hex") };
    const name = `${String(at.getTime()).padStart(13, "0")}-${key}.eml`;
    // Renamed when the file is complete, so a reader never sees half of it.
    fs.writeFileSync(path.join(this.#folder, `.${name}`), raw, { mode: 0o600 });
    fs.renameSync(path.join(this.#folder, `.${name}`), path.join(this.#folder, name));
    for (const { id } of this.#all().slice(MOST)) fs.rmSync(path.join(this.#folder, `${id}.eml`), { force: true });
  }

  /** Kept mails, newest first. */
  list(): KeptMail[] {
    return this.#all().slice(0, MOST);
  }

  /** @returns null if the mail does not exist or was already removed */
  read(id: string): Buffer | null {
    // The id comes from an address: only valid names of mails reach the file system.
    if (!FILE_NAME.test(`${id}.eml`)) return null;
    try {
      return fs.readFileSync(path.join(this.#folder, `${id}.eml`));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      return null;
    }
  }

  #all(): KeptMail[] {
    if (!fs.existsSync(this.#folder)) return [];
    return fs
      .readdirSync(this.#folder)
      .flatMap((name) => FILE_NAME.exec(name)?.[1] ?? [])
      .sort()
      .reverse()
      .map((id) => ({ id, receivedAt: new Date(Number(id.slice(0, 13))) }));
  }
}
