// The sealer's program: reads a plan and a PDF from descriptor 0, writes to descriptor 1 what stands after the PDF's own bytes, with room for
// a signature where the plan has one. Its argument is how many bytes it may read. It knows no key.
import fs from "node:fs";
import { CLOSED, type Plan, REFUSED } from "../plan.ts";
import { Closed, prepare } from "./prepare.ts";

const input = readInput(Number(process.argv[2]));
const planBytes = input.readUInt32BE(0);
const plan = JSON.parse(input.toString("utf8", 4, 4 + planBytes)) as Plan;
let made: Uint8Array | null = null;
try {
  made = await prepare(input.subarray(4 + planBytes), plan);
} catch (error) {
  // Without its message, which may have words of the document.
  const { name, stack = "" } = error instanceof Error ? error : new Error();
  process.stderr.write(
    `${name} ${stack
      .split("\n")
      .filter((line) => line.startsWith("    at "))
      .slice(0, 3)
      .join("")}`,
  );
  // These are faults of the machine or of our files. Another attempt may succeed.
  const isOurs = error instanceof Error && ("code" in error || /allocation failed/i.test(error.message));
  process.exitCode = isOurs ? 1 : error instanceof Closed ? CLOSED : REFUSED;
}
if (made !== null) writeOutput(made);

function readInput(most: number): Buffer {
  const memory = Buffer.allocUnsafeSlow(most);
  let size = 0;
  while (size < most) {
    const read = fs.readSync(0, memory, size, Math.min(most - size, 1024 * 1024), null);
    if (read === 0) break;
    size += read;
  }
  return memory.subarray(0, size);
}

function writeOutput(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += fs.writeSync(1, bytes, at);
}
