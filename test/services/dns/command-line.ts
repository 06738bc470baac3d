// `selo` in this process, with the commands of all services: starting a program for each call would take half a minute.
import { vi } from "vitest";
import { runCli } from "../../../src/main/run-cli.ts";
import { services } from "../../../src/services/services.ts";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line until it ends. */
export async function runSelo(words: readonly string[], environment: Readonly<Record<string, string>>): Promise<Ran> {
  const written = { stdout: "", stderr: "" };
  const take = (stream: keyof typeof written) => (text: unknown) => {
    written[stream] += text;
    return true;
  };
  const spies = [
    vi.spyOn(console, "log").mockImplementation((text) => void take("stdout")(`${text}\n`)),
    vi.spyOn(console, "error").mockImplementation((text) => void take("stderr")(`${text}\n`)),
    vi.spyOn(process.stdout, "write").mockImplementation(take("stdout")),
    vi.spyOn(process.stderr, "write").mockImplementation(take("stderr")),
  ];
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const listeners = process.stdout.listeners("error");
  const before = process.exitCode;
  process.exitCode = 0;
  try {
    await runCli(services, words);
    return { code: Number(process.exitCode), ...written };
  } finally {
    process.exitCode = before;
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
    for (const listener of process.stdout.listeners("error"))
      if (!listeners.includes(listener)) process.stdout.off("error", listener as () => void);
  }
}
