import { execFileSync } from "node:child_process";

/** Canonical JSON as the spec tells its readers to make it, by another program. */
export function canonicalByPython(members: object): Buffer {
  const program =
    "import json, sys; sys.stdout.buffer.write(json.dumps(json.load(sys.stdin), sort_keys=True, separators=(',', ':'), ensure_ascii=False).encode())";
  return execFileSync("python3", ["-c", program], { input: JSON.stringify(members) });
}
