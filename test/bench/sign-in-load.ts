/** Its own process that signs people in, each caller from an own address and people in turn; prints sign-ins per second. */
const [url = "", milliseconds, callers, people] = process.argv.slice(2);
const started = performance.now();
let signedIn = 0;
let next = 0;
await Promise.all(
  Array.from({ length: Number(callers) }, async (_, caller) => {
    while (performance.now() - started < Number(milliseconds)) {
      const answer = await fetch(`${url}/api/v1/auth/sign-in`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": `198.51.100.${caller}` },
        body: JSON.stringify({
          email: `person-${next++ % Number(people)}@bench.example`,
          password: "correct-horse-battery",
        }),
      });
      if (answer.status !== 200) throw new Error(`a sign-in was answered ${answer.status}: ${await answer.text()}`);
      await answer.arrayBuffer();
      signedIn++;
    }
  }),
);
console.log(signedIn / ((performance.now() - started) / 1_000));
