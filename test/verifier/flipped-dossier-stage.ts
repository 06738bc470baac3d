// Every byte of a dossier changed, one at a time.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PlatformKey, readKeys } from "../../src/verifier/keys.ts";
import { endedDossier, type Files, filesOf, packed } from "./made-dossiers.ts";
import { live } from "./made-proofs.ts";
import { proved, provedByPython, remembered } from "./sealed-dossier-stage.ts";

/** Members that nothing signed or sealed covers, by their names in evidence.json and seal.json: README.md says so of each. */
const FREE = ["filename", "keys", "openings", "dated", "witnessed"];

/** @param step 1 changes every byte; else one of so many of each file's content, and every one of the heads and the directory */
export function flippedDossier(step: number): void {
  // A guard: every byte takes a minute on a quiet machine.
  const timeout = 600_000;
  describe("a changed byte of a dossier is noticed by the verifier and by the Python program", { timeout }, () => {
    const keysText = JSON.stringify({ platform_keys: live.keys });
    const keys: readonly PlatformKey[] = readKeys(keysText);
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-flips-"));
    const signatures = remembered();
    let files: Files;
    let zip: Buffer;
    beforeAll(async () => {
      files = filesOf(await endedDossier(live, { isSigned: true }));
      zip = await packed(files);
    });
    afterAll(() => fs.rmSync(folder, { recursive: true }));

    test("anywhere in the ZIP", async () => {
      const contents = Object.values(files).map((bytes) => ({ start: zip.indexOf(bytes), length: bytes.length }));
      const isSkipped = (at: number) =>
        contents.some(({ start, length }) => at >= start && at < start + length && (at - start) % step !== 0);
      const changes = [];
      // The last one, which was packed at the end, is not among the files.
      for (let at = 0; at < zip.length; at++)
        if (!isSkipped(at)) for (const xor of [1, 0x80, 0xff]) changes.push({ at, xor });
      const unnoticed = [];
      for (const change of changes) {
        const { at, xor } = change;
        const changed = Buffer.from(zip);
        changed[at] = (changed[at] ?? 0) ^ xor;
        if ((await proved(changed, keys, signatures)) !== null) unnoticed.push(change);
      }
      expect(unnoticed).toEqual([]);
      const byPython = provedByPython(folder, zip, keysText, changes);
      expect(changes.filter((_, place) => byPython[place] !== null)).toEqual([]);
    });

    test("in what is checked, though every checksum and digest was made anew", async () => {
      const changed: { readonly name: string; readonly at: number; readonly zip: string }[] = [];
      const found: (string | null)[] = [];
      for (const name of ["evidence.json", "seal.json"])
        for (let at = 0; at < (files[name]?.length ?? 0); at += step * 8 - 1) {
          const bytes = Buffer.from(files[name] ?? "");
          bytes[at] = (bytes[at] ?? 0) ^ 1;
          const made = await packed({ ...files, [name]: bytes });
          changed.push({ name, at, zip: made.toString("base64") });
          found.push(await proved(made, keys, signatures));
        }
      expect(provedByPython(folder, zip, keysText, changed)).toEqual(found);
      const passed = changed.filter((_, place) => found[place] !== null);
      const wrong = passed.filter(({ name, at }) => !FREE.includes(memberAt(String(files[name]), at)));
      expect(wrong.map(({ name, at }) => `${name}: ${String(files[name]).slice(at - 40, at + 20)}`)).toEqual([]);
    });
  });
}

/** The name of the member in which a byte stands; of the outermost one that is free. */
function memberAt(text: string, at: number): string {
  const names: string[] = [];
  let last = "";
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (index > at) break;
    if (token === "{" || token === "[") names.push(last);
    else if (token === "}" || token === "]") names.pop();
    else if (text[index + token.length] === ":") last = token.slice(1, -1);
  }
  return [...names, last].find((name) => FREE.includes(name)) ?? last;
}
