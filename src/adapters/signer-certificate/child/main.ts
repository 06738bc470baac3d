// The program that judges a chain of certificates, or reads one answer about one certificate. Descriptor 0 gives it the length of its order (four
// bytes), the order as JSON and then the answer's bytes; to descriptor 1 it writes one line of JSON. Its argument is how many bytes it may
// read. It opens nothing.
import fs from "node:fs";
import type { Order } from "../messages.ts";
import { judge } from "./judge.ts";
import { readStatement } from "./read-statement.ts";

const input = readInput(Number(process.argv[2]));
const orderEnd = 4 + input.readUInt32BE(0);
const order: Order = JSON.parse(input.toString("utf8", 4, orderEnd));
const answer = order.task === "judge" ? judge(order) : readStatement(order, input.subarray(orderEnd));
fs.writeFileSync(1, `${JSON.stringify(answer)}\n`);

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
