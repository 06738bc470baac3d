import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { Config } from "../../../config/config.ts";
import { AppError } from "../../../errors/app-error.ts";

/** Other members are those that services add: `demo` of their `service.ts`. */
const shape = z.looseObject({
  base_url: z.string(),
  organization: z.object({ id: z.string(), number: z.number() }),
  tokens: z.object({ live: z.string(), test: z.string() }),
});

/** `demo.json` in the data folder: everything that a first `curl` needs. */
export type Demo = z.infer<typeof shape>;

export const demoFile = (dataDir: string) => path.join(dataDir, "demo.json");

/** The content that a start wrote to demo.json; null before the first start. */
export function readDemo(dataDir: string): Demo | null {
  const file = demoFile(dataDir);
  if (!fs.existsSync(file)) return null;
  try {
    return shape.parse(JSON.parse(fs.readFileSync(file, "utf8")));
  } catch (error) {
    throw new AppError(500, "internal_error", `${file} cannot be read; delete it to get new demo tokens`, undefined, {
      cause: error,
    });
  }
}

/** Writes demo.json (mode 0600): readers see the earlier content or this one. Makes the folder, which nobody needed before with a database and a key of one's own. */
export function writeDemo(dataDir: string, demo: Demo): void {
  fs.mkdirSync(dataDir, { recursive: true });
  const file = demoFile(dataDir);
  fs.writeFileSync(`${file}.new`, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  fs.renameSync(`${file}.new`, file);
}

/** Writes one member that a service adds. Does nothing if the file was deleted meanwhile. */
export function writeDemoMember(dataDir: string, member: string, value: string | null): void {
  const demo = readDemo(dataDir);
  if (demo !== null && demo[member] !== value) writeDemo(dataDir, { ...demo, [member]: value });
}

/**
 * The address of the service: PUBLIC_URL or PORT if the environment has one of them, otherwise the address of the last
 * start on this data folder.
 */
export function serviceAddress({ environment, publicUrl }: Config, readOwnDemo: () => Demo | null): string {
  return environment["PUBLIC_URL"] || environment["PORT"] ? publicUrl : (readOwnDemo()?.base_url ?? publicUrl);
}
