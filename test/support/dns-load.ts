// Asks a nameserver for the same names over and over, from its own process: node test/support/dns-load.ts [--dnssec] <port> <questions a second> <name>…
// Prints how many answers came when its input ends.
import { createSocket } from "node:dgram";
import { parseArgs } from "node:util";
import { queryOf } from "../../src/adapters/resolver/message.ts";
import { askingForSignatures } from "./asking-for-signatures.ts";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { dnssec: { type: "boolean" } } });
const [port = "", rate = "", ...names] = positionals;
const TICK_MS = 5;
const socket = createSocket("udp4");
let sent = 0;
let answered = 0;
socket.on("message", () => {
  answered += 1;
});
socket.connect(Number(port), "127.0.0.1", () => {
  const began = performance.now();
  const asking = setInterval(() => {
    const due = ((performance.now() - began) / 1_000) * Number(rate);
    for (; sent < due; sent++) {
      const name = names[sent % names.length] ?? "";
      // The very bytes of askDns: the packet cache knows answers by their questions.
      const query = queryOf({ name, type: "A" }, { recursive: false, edns: true });
      socket.send((values.dnssec ? askingForSignatures(query) : query).bytes);
    }
  }, TICK_MS);
  console.log("asking");
  process.stdin
    .on("end", () => {
      clearInterval(asking);
      const seconds = (performance.now() - began) / 1_000;
      console.log(JSON.stringify({ rate: Math.round(sent / seconds), answered: answered / sent, answers: answered }));
      socket.close();
    })
    .resume();
});
