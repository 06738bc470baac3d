// The command line of the product and of notes, whose words a server elsewhere compresses.
import { runCli } from "../../../src/main/run-cli.ts";
import { withCompress } from "../../surfaces/sample-service/with-compress.ts";

/** Answers the words that are posted to it, compressed. */
const { COMPRESSOR_URL = "" } = process.env;

const services = withCompress(async (text) => {
  const answer = await fetch(COMPRESSOR_URL, { method: "POST", body: text });
  if (!answer.ok) throw new Error(`the compressor answered ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer());
});

await runCli(services, process.argv.slice(2));
