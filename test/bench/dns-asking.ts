import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";

/** Asks for names all the time. */
export interface Asking {
  end(): void;
  /** How many questions a second it asked, and the share of them that was answered; resolves after its end. */
  report(): Promise<{ readonly rate: number; readonly answered: number }>;
}

/**
 * Asks for names from its own process until it is ended. Resolves when it has begun.
 * @param isDnssec whether it asks for signatures, too
 */
export async function startAsking(
  port: number,
  names: readonly string[],
  perSecond: number,
  isDnssec = false,
): Promise<Asking> {
  const program = path.resolve(import.meta.dirname, "../support/dns-load.ts");
  const options = isDnssec ? ["--dnssec"] : [];
  const child = spawn("node", [program, ...options, String(port), String(perSecond), ...names], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next(); // it asks
  return {
    end: () => child.stdin.end(),
    report: async () => JSON.parse((await lines.next()).value ?? "{}") as { rate: number; answered: number },
  };
}
