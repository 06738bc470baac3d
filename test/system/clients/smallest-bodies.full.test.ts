// The smallest body of every operation of the other descriptions, in the types that each generator writes. rest-clients.test.ts asks the same of the main one.
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installedClients } from "./packages.ts";

const run = promisify(execFile);
const CLIENTS = ["hey-api", "orval", "orval-zod", "swagger-typescript-api", "openapi-fetch"];

let clients: string;
const folders: string[] = [];
beforeAll(async () => {
  clients = await installedClients();
}, 400_000);
afterAll(() => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});

test.each(["openapi-dns.json", "openapi-signing.json", "openapi-accounts.json"])(
  "%s: with each generator the smallest body of every operation compiles",
  async (name) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-smallest-"));
    folders.push(folder);
    for (const file of ["generate.ts", "write-smallest.ts", "tsconfig.json"])
      fs.copyFileSync(path.join(clients, "rest", file), path.join(folder, file));
    fs.copyFileSync(path.join(clients, "package.json"), path.join(folder, "package.json"));
    fs.symlinkSync(path.join(clients, "node_modules"), path.join(folder, "node_modules"));
    const node = async (...args: string[]) => {
      try {
        return (await run(process.execPath, args, { cwd: folder, timeout: 240_000 })).stdout;
      } catch (error) {
        // What tsc complains about it writes to its output.
        const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
        throw new Error(`${args.join(" ")}\n${stdout}\n${stderr}`, { cause: error });
      }
    };
    const document = path.resolve(import.meta.dirname, "../../../schema", name);
    await node("generate.ts", document, ".");
    await node("write-smallest.ts", document, ".", ...CLIENTS);
    expect(fs.readFileSync(path.join(folder, "smallest.ts"), "utf8").split("const body").length - 1).toBeGreaterThan(
      CLIENTS.length,
    );
    await node("node_modules/typescript/bin/tsc", "-p", "tsconfig.json", "--noEmit");
  },
  400_000,
);
