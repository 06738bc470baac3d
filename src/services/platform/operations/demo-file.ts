import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { AppError } from "../../../app-error.ts";
import type { Config } from "../../../config.ts";

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

/**
 * The address of the service: PUBLIC_URL or PORT if the environment has one of them, otherwise the address of the last
 * start on this data folder.
 */
export function serviceAddress({ environment, publicUrl }: Config, readOwnDemo: () => Demo | null): string {
  return environment["PUBLIC_URL"] || environment["PORT"] ? publicUrl : (readOwnDemo()?.base_url ?? publicUrl);
}
