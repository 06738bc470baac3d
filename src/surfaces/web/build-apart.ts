import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { packageRoot } from "../../package-root.ts";
import { isWebAppBuilt } from "./build.ts";

const PROGRAM = path.join(import.meta.dirname, `./build-web-app${path.extname(import.meta.filename)}`);

/**
 * Builds the web app where its sources changed, in a process of its own: the bundler is large, and what fails in it must not
 * end this one. Never rejects: what cannot be built keeps nothing else from running, and the pages say so.
 */
export async function buildWebAppApart(
  log: { warn(fields: object, message: string): void },
  root = packageRoot(),
): Promise<void> {
  try {
    // Where the sources are missing, this throws as well.
    if (isWebAppBuilt(root)) return;
    await promisify(execFile)(process.execPath, [...process.execArgv, PROGRAM, root]);
  } catch (error) {
    log.warn({ err: error }, "the web app could not be built");
  }
}
