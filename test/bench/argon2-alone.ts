/** Its own process that does nothing but hash passwords, as many at once as a gateway does: the limit of sign-ins per second on the same cores. */
import { PasswordHashes } from "../../src/services/accounts/sign-in/password-hashes.ts";
import { newSalt } from "../../src/services/accounts/sign-in/password-tag.ts";

const [milliseconds, memory, passes, parallelism] = process.argv.slice(2).map(Number) as [
  number,
  number,
  number,
  number,
];
const hashes = new PasswordHashes();
const started = performance.now();
let hashed = 0;
await Promise.all(
  Array.from({ length: 8 }, async (_, place) => {
    while (performance.now() - started < milliseconds) {
      await hashes.tagOf("correct-horse-battery", { salt: newSalt(), memory, passes, parallelism }, String(place));
      hashed++;
    }
  }),
);
console.log(hashed / ((performance.now() - started) / 1_000));
await hashes.close();
