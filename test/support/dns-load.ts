// Asks a nameserver for the same names over and over, from a process of its own: node test/support/dns-load.ts <port> <questions a second> <name>…
// Prints how many answers came when its input ends.
import { createSocket } from "node:dgram";
import { queryOf } from "../../src/adapters/resolver/message.ts";

const [port = "", rate = "", ...names] = process.argv.slice(2);
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
      socket.send(queryOf({ name, type: "A" }, { recursive: false, edns: true }).bytes);
    }
  }, TICK_MS);
  console.log("asking");
  process.stdin
    .on("end", () => {
      clearInterval(asking);
      const seconds = (performance.now() - began) / 1_000;
      console.log(JSON.stringify({ rate: Math.round(sent / seconds), answered: answered / sent }));
      socket.close();
    })
    .resume();
});
