import { execFileSync } from "node:child_process";

/** Children of this process that run Node: `ps` itself is another one. */
export function children(): string[] {
  const listed = execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(process.pid)], { encoding: "utf8" });
  return listed.split("\n").filter((line) => line.includes("--permission"));
}

/** A source that never has anything. */
export const silent: AsyncIterable<Buffer> = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) };
