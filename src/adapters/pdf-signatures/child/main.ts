// The program that reads the signatures of a PDF. Descriptor 0 gives it the length of its order (four bytes), the order as JSON and then the file;
// to descriptor 1 it writes one line of JSON. Its argument is how many bytes it may read. It opens nothing.
import fs from "node:fs";
import type { Order } from "../answer.ts";
import { answer } from "./read-file.ts";

const input = readInput(Number(process.argv[2]));
const orderEnd = 4 + input.readUInt32BE(0);
const order: Order = JSON.parse(input.toString("utf8", 4, orderEnd));
const said = `${JSON.stringify(await answer(input.subarray(orderEnd), order))}\n`;
for (let bytes = Buffer.from(said); bytes.length > 0; ) bytes = bytes.subarray(fs.writeSync(1, bytes));

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
