import { createHash, randomBytes } from "node:crypto";
import { expect } from "vitest";

/** A registration under load, as it was answered. */
export interface Registration {
  readonly file: Buffer;
  /** Status, or what kept an answer from coming. */
  readonly outcome: number | string;
  readonly body: string;
  /** How many changes had been announced when it was sent, see {@link Registrations.announce}. */
  readonly after: number;
}

/** Callers who register one file after the other until they are stopped, from the gateways in turn. */
export interface Registrations {
  readonly answered: readonly Registration[];
  /** Requests sent from now on are known to have come after a change. */
  announce(): void;
  /** Resolves when so many more have been answered. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** @param callers for each gateway and token, so many at once */
export function register(baseUrls: readonly string[], tokens: readonly string[], callers = 2): Registrations {
  const answered: Registration[] = [];
  let stopped = false;
  let announced = 0;
  const one = async (baseUrl: string, token: string) => {
    while (!stopped) {
      const file = randomBytes(32);
      const after = announced;
      let outcome: number | string;
      let body = "";
      try {
        const response = await fetch(`${baseUrl}/api/v1/proofs`, {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: JSON.stringify({ sha256: createHash("sha256").update(file).digest("hex") }),
        });
        outcome = response.status;
        body = await response.text();
      } catch (error) {
        outcome = String(error);
      }
      answered.push({ file, outcome, body, after });
    }
  };
  const running = Array.from({ length: callers }, () =>
    baseUrls.flatMap((baseUrl) => tokens.map((token) => one(baseUrl, token))),
  ).flat();
  return {
    answered,
    announce: () => {
      announced += 1;
    },
    more: async (count) => {
      const enough = answered.length + count;
      await expect.poll(() => answered.length, { interval: 10 }).toBeGreaterThanOrEqual(enough);
    },
    stop: async () => {
      stopped = true;
      await Promise.all(running);
    },
  };
}

/** Every one was answered 201. */
export function expectAllRegistered({ answered }: Registrations): void {
  expect(answered.filter(({ outcome }) => outcome !== 201).map(({ outcome, body }) => `${outcome} ${body}`)).toEqual(
    [],
  );
}
