// Dossiers, as python3 and unzip read them.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
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
