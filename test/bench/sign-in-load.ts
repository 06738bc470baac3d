/** Its own process that signs people in, each caller from an own address and people in turn; prints sign-ins per second. */
import { Agent, request } from "undici";

const [url = "", milliseconds, callers, people] = process.argv.slice(2);
// What asks is to take as little of the processor as it can: fetch takes twice as much.
const dispatcher = new Agent({ connections: Number(callers) });
const started = performance.now();
let signedIn = 0;
let next = 0;
await Promise.all(
  Array.from({ length: Number(callers) }, async (_, caller) => {
    while (performance.now() - started < Number(milliseconds)) {
      const answer = await request(`${url}/api/v1/auth/sign-in`, {
        dispatcher,
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": `198.51.100.${caller}` },
        body: JSON.stringify({
          email: `person-${next++ % Number(people)}@bench.example`,
          password: "correct-horse-battery",
        }),
      });
      const body = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`a sign-in was answered ${answer.statusCode}: ${body}`);
      signedIn++;
    }
  }),
);
console.log(signedIn / ((performance.now() - started) / 1_000));
await dispatcher.close();
