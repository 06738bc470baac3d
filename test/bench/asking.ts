import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";

interface Asking {
  readonly child: ChildProcess;
  report(): Promise<{ readonly rate: number; readonly answered: number }>;
}

/** Asks for names from a process of its own until its input ends. */
export async function startAsking(port: number, names: readonly string[], perSecond: number): Promise<Asking> {
  const program = path.resolve(import.meta.dirname, "../support/dns-load.ts");
  const child = spawn("node", [program, String(port), String(perSecond), ...names], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next(); // it asks
  return {
    child,
    report: async () => JSON.parse((await lines.next()).value ?? "{}") as { rate: number; answered: number },
  };
}
