// Debian's OpenStack Swift, which speaks S3: a storage that neither we nor the makers of our signer wrote.
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { signRequest } from "../../../src/adapters/object-put/sign-request.ts";
import { unpackPackages } from "../../support/debian-packages.ts";

export interface SwiftStorage {
  readonly url: string;
  /** Makes a bucket. */
  make(bucket: string): Promise<void>;
  /** Reads an object of a bucket; the path is escaped already. */
  read(path: string): Promise<Buffer>;
  stop(): Promise<void>;
}

/** Its account: of tempauth, whose names have a colon. */
export const SWIFT_ACCOUNT = {
  region: "sa-east-1",
  access_key_id: "archive:writer",
  secret: "a-secret/of+forty=characters",
};
const PROGRAM = path.join(import.meta.dirname, "swift_storage.py");
const NOTHING = createHash("sha256").digest("hex");

/** Unpacks Swift into a folder, and starts it there. Only python3-swift is needed: the other packages start daemons. */
export async function startSwift(folder: string): Promise<SwiftStorage> {
  const [packages, data] = ["packages", "data"].map((name) => path.join(folder, name)) as [string, string];
  for (const each of [packages, data]) fs.mkdirSync(each, { recursive: true });
  unpackPackages(packages, "python3-swift");
  const { access_key_id, secret, region } = SWIFT_ACCOUNT;
  // The Python of Debian, which its packages are built for.
  const child = spawn("/usr/bin/python3", [PROGRAM, data, access_key_id, secret, region], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PYTHONPATH: path.join(packages, "usr/lib/python3/dist-packages"),
      LD_LIBRARY_PATH: librariesOf(packages),
    },
  });
  const port = await firstLine(child);
  const url = `http://127.0.0.1:${port}`;
  const ask = async (method: "GET" | "PUT", path: string) => {
    const address = new URL(path, url);
    const key = { region, accessKeyId: access_key_id, secret };
    const { host, ...headers } = await signRequest(
      { method, url: address, headers: {}, sha256: NOTHING },
      key,
      new Date(),
    );
    const answer = await fetch(address, { method, headers });
    if (!answer.ok) throw new Error(`${method} ${path} for ${host} answered ${answer.status}: ${await answer.text()}`);
    return Buffer.from(await answer.arrayBuffer());
  };
  return {
    url,
    make: async (bucket) => void (await ask("PUT", `/${bucket}`)),
    read: (path) => ask("GET", path),
    stop: async () => {
      if (child.exitCode === null && child.kill()) await once(child, "close");
    },
  };
}

/** The folder of shared libraries: its name has that of the processor. */
function librariesOf(packages: string): string {
  const libraries = path.join(packages, "usr/lib");
  const names = fs.existsSync(libraries) ? fs.readdirSync(libraries) : [];
  return names
    .filter((name) => name.endsWith("-linux-gnu"))
    .map((name) => path.join(libraries, name))
    .join(":");
}

function firstLine(child: ChildProcess): Promise<string> {
  const { stdout } = child;
  if (stdout === null) throw new Error("the program has no output");
  return new Promise((resolve, reject) => {
    child.once("exit", () => reject(new Error("Swift ended")));
    readline.createInterface({ input: stdout }).once("line", resolve);
  });
}
