// The checker's program: reads a file from descriptor 0, writes answers to descriptor 1, a line of JSON each.
// Its only argument is JSON: how many bytes it may read, and what a file is allowed. It opens nothing.
import fs from "node:fs";
import { type Allowed, check, type Rehearse } from "./check.ts";

const { bytes, ...allowed } = JSON.parse(process.argv[2] ?? "") as Allowed & { bytes: number };
// Loaded only for a file that needs it: the sealer's library is larger than all else here.
const rehearse: Rehearse = async (...given) => (await import("../../pdf-seal/child/rehearse.ts")).rehearse(...given);
await check(readInput(bytes), allowed, rehearse, (answer) => {
  // Written before the next step begins: that one may take long, or be the last.
  fs.writeFileSync(1, `${JSON.stringify(answer)}\n`);
});

/** The whole input, read into the memory where it stays. The system gives that memory only as far as it is filled. */
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
