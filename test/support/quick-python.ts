import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

/**
 * Puts the Python that `python3` starts before it on the PATH. Where several versions are installed, `python3` is often a script that looks for the right
 * one in each start, which takes ten times as long as Python's own (0.1 s), and tests start it some hundred times.
 * @param folder gets a file that starts it
 */
export function putPythonFirst(folder: string): void {
  const program = execFileSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).trim();
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, "python3"), `#!/bin/sh\nexec '${program}' "$@"\n`, { mode: 0o755 });
  process.env["PATH"] = [folder, process.env["PATH"]].join(path.delimiter);
}
