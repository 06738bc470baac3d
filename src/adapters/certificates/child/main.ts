// The program that reads one PKCS#12 file. Descriptor 0 gives it the length of the password (four bytes), the password in UTF-8 and
// the file; to descriptor 1 it writes its answer, one line of JSON. Its argument is how many bytes it may read. It opens nothing.
import fs from "node:fs";
import type { Answer } from "../refusals.ts";
import { readFile } from "./read-file.ts";

const input = readInput(Number(process.argv[2]));
const passwordEnd = 4 + input.readUInt32BE(0);
const password = input.toString("utf8", 4, passwordEnd);
let answer: Answer | null = null;
try {
  answer = readFile(input.subarray(passwordEnd), password);
} catch (error) {
  // Without its message, which may have words of the file.
  const { name, stack = "" } = error instanceof Error ? error : new Error();
  const places = stack.split("\n").filter((line) => line.startsWith("    at "));
  process.stderr.write(`${name} ${places.slice(0, 3).join("")}`);
  process.exitCode = 1;
}
if (answer) fs.writeFileSync(1, `${JSON.stringify(answer)}\n`);

function readInput(most: number): Buffer {
  const memory = Buffer.alloc(most);
  let size = 0;
  while (size < most) {
    const read = fs.readSync(0, memory, size, most - size, null);
    if (read === 0) break;
    size += read;
  }
  return memory.subarray(0, size);
}
