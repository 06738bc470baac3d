// Commands of `selo` in this process: what starts a whole program for each takes half a second of CPU.
import { Console } from "node:console";
import { Writable } from "node:stream";
import { runCli } from "../../src/main/run-cli.ts";
import { services } from "../../src/services/services.ts";
import { bareEnvironment, type Finished, jsonOf } from "./selo-process.ts";

/**
 * Runs a command as `selo()` does, without its own process: for commands that end by themselves. One at a time, because this process has
 * one environment and one output.
 */
export async function command(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Pick<Finished, "code" | "stdout" | "stderr">> {
  const stdout = new Written();
  const stderr = new Written();
  const { env, exitCode } = process;
  const { console } = globalThis;
  const streams = ["stdout", "stderr"].map((name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const);
  process.env = { ...bareEnvironment(), ...environment };
  process.exitCode = undefined;
  globalThis.console = new Console(stdout, stderr);
  for (const [name, value] of Object.entries({ stdout, stderr }))
    Object.defineProperty(process, name, { configurable: true, value });
  try {
    await runCli(services, args);
    return { code: Number(process.exitCode ?? 0), stdout: stdout.text, stderr: stderr.text };
  } finally {
    for (const [name, descriptor] of streams)
      if (descriptor !== undefined) Object.defineProperty(process, name, descriptor);
    globalThis.console = console;
    process.exitCode = exitCode;
    process.env = env;
  }
}

/** A command that is expected to succeed with one line of JSON. */
export async function commandJson<Result>(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Result> {
  const given = [...args, "--json"];
  return jsonOf<Result>(given, await command(given, environment));
}

class Written extends Writable {
  text = "";

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk;
    done();
  }
}
