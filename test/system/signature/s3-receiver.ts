// A storage in Python that verifies signatures itself, for tests and benchmarks: s3_receiver.py.
import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import readline from "node:readline";

/** A PUT as it came, and what is wrong with its signature. */
export interface SignedPut {
  readonly path: string;
  readonly sha256: string;
  readonly fault: string | null;
}

export interface S3Receiver {
  readonly url: string;
  readonly puts: readonly SignedPut[];
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

export const S3_ACCOUNT = {
  region: "sa-east-1",
  access_key_id: "test:writer",
  secret: "a secret / of + forty = characters",
};
export const RECEIVER = path.join(import.meta.dirname, "s3_receiver.py");

/** @param held the answer to a PUT whose path ends so waits until the file `go` is in the folder */
export async function startS3Receiver(folder: string, held?: string): Promise<S3Receiver> {
  const { access_key_id, secret, region } = S3_ACCOUNT;
  const child = spawn("python3", [RECEIVER, folder, access_key_id, secret, region, ...(held ? [held] : [])], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const puts: SignedPut[] = [];
  const port = await new Promise<string>((resolve, reject) => {
    child.once("exit", () => reject(new Error("the receiver ended")));
    let isFirst = true;
    readline.createInterface({ input: child.stdout }).on("line", (line) => {
      if (isFirst) resolve(line);
      else puts.push(JSON.parse(line) as SignedPut);
      isFirst = false;
    });
  });
  return {
    url: `http://127.0.0.1:${port}`,
    puts,
    child,
    stop: () =>
      new Promise((resolve) => {
        child.once("close", () => resolve());
        child.kill();
      }),
  };
}
