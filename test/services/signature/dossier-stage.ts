// Dossiers, as python3 and unzip read them.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { storedZip } from "../../../src/adapters/zip/stored-zip.ts";
import { call, type RestResponse } from "../../support/rest-client.ts";
import type { EnvelopeStage } from "./envelope-stage.ts";

/** Asks for the dossier of an envelope. */
export const dossierOf = (
  { selo, token }: Pick<EnvelopeStage, "selo" | "token">,
  id: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RestResponse> => call(selo, "GET", `/envelopes/${id}/dossier`, { token, headers });

export interface UnpackedDossier {
  /** Names in the order of the ZIP. */
  readonly names: readonly string[];
  /** The time of each file. */
  readonly times: readonly string[];
  readonly folder: string;
  readonly read: (name: string) => Buffer;
  readonly remove: () => void;
}

const LIST = `
import datetime, json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
print(json.dumps([[each.filename, datetime.datetime(*each.date_time).isoformat()] for each in archive.infolist()]))
`;

/** Unpacks a dossier with unzip, which checks it first. */
export function unpacked(zip: Buffer): UnpackedDossier {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-dossier-"));
  const remove = () => fs.rmSync(folder, { recursive: true });
  try {
    const file = path.join(folder, "dossier.zip");
    fs.writeFileSync(file, zip);
    execFileSync("unzip", ["-tq", file]);
    const listed: [string, string][] = JSON.parse(execFileSync("python3", ["-c", LIST, file], { encoding: "utf8" }));
    execFileSync("unzip", ["-q", file, "-d", folder]);
    fs.rmSync(file);
    return {
      names: listed.map(([name]) => name),
      times: listed.map(([, time]) => time),
      folder,
      read: (name) => fs.readFileSync(path.join(folder, name)),
      remove,
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** The files of a dossier, by their names. */
export type Files = Readonly<Record<string, Buffer>>;

export function filesOf(bytes: Buffer): Files {
  const { names, read, remove } = unpacked(bytes);
  try {
    return Object.fromEntries(names.map((name) => [name, read(name)]));
  } finally {
    remove();
  }
}

/** A ZIP of these files, with the digests that belong to them. */
export async function zipOf(changed: Files, sums = true): Promise<Buffer> {
  const { SHA256SUMS, ...others } = changed;
  const made = Object.entries(others).map(
    ([name, bytes]) => `${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`,
  );
  const all = { ...others, SHA256SUMS: sums ? Buffer.from(made.join("")) : (SHA256SUMS ?? Buffer.alloc(0)) };
  const entries = Object.entries(all).map(([name, content]) => ({ name, size: content.length, content }));
  const { length, open } = await storedZip(entries, new Date(0));
  return buffer(open(0, length - 1));
}
