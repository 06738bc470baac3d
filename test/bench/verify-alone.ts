/** Its own process that does nothing but verify: the limit of public verification on the same cores. */
import { createHybridSigner, generateHybridSeeds, verifyHybrid } from "../../src/adapters/crypto/hybrid-signature.ts";

const milliseconds = Number(process.argv[2]);
const signer = createHybridSigner(generateHybridSeeds());
const message = Buffer.alloc(620, "evidence of the usual length ");
const signatures = await signer.sign(message);
const started = performance.now();
let verified = 0;
await Promise.all(
  Array.from({ length: 32 }, async () => {
    while (performance.now() - started < milliseconds) {
      await verifyHybrid(signer.publicKeys, message, signatures);
      verified++;
    }
  }),
);
console.log(verified / ((performance.now() - started) / 1_000));
