/** Its own process that does nothing but sign: the limit of proofs per second on the same cores. */
import { createHybridSigner, generateHybridSeeds } from "../../src/adapters/crypto/hybrid-signature.ts";

const milliseconds = Number(process.argv[2]);
const signer = createHybridSigner(generateHybridSeeds());
const message = Buffer.alloc(620, "evidence of the usual length ");
const started = performance.now();
let signed = 0;
await Promise.all(
  Array.from({ length: 32 }, async () => {
    while (performance.now() - started < milliseconds) {
      await signer.sign(message);
      signed++;
    }
  }),
);
console.log(signed / ((performance.now() - started) / 1_000));
