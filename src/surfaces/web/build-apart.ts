import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { packageRoot } from "../../adapters/programs/package-root.ts";
import { isWebAppBuilt } from "./build.ts";

const PROGRAM = path.join(import.meta.dirname, `./build-web-app${path.extname(import.meta.filename)}`);

/**
 * Builds the web app if its sources changed, in a separate process: the bundler is large, and its failure must not
 * end this process. Never rejects: a failed build keeps nothing else from running, and the pages report it.
 */
export async function buildWebAppApart(
  log: { warn(fields: object, message: string): void },
  root = packageRoot(),
): Promise<void> {
  try {
    // This also throws if the sources are missing.
    if (isWebAppBuilt(root)) return;
    await promisify(execFile)(process.execPath, [...process.execArgv, PROGRAM, root]);
  } catch (error) {
    log.warn({ err: error }, "the web app could not be built");
  }
}
