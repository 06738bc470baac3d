import { connect } from "node:net";
import path from "node:path";

/** Longer than any flush takes; the caller's deadline is shorter. */
const PATIENCE_MS = 5_000;
/** The list of zones may be long. */
const LEARN_MS = 30_000;
/** A scrape of /metrics waits no longer. Who asks for the state waits two seconds, and so learns that it is PowerDNS that does not answer. */
const STATISTICS_MS = 1_500;

/** Says what a running PowerDNS is to do: through its API, and through its control socket for what the API lacks. */
export class PowerDns {
  readonly #base: string;
  readonly #key: string;
  readonly #socket: string;

  /**
   * @param apiPort the API's port on 127.0.0.1
   * @param socketDir the folder of the control socket
   */
  constructor(apiPort: number, apiKey: string, socketDir: string) {
    this.#base = `http://127.0.0.1:${apiPort}/api/v1/servers/localhost`;
    this.#key = apiKey;
    this.#socket = path.join(socketDir, "pdns.controlsocket");
  }

  /** Whether it answers to our key: another program may have taken the port. */
  async isReady(): Promise<boolean> {
    try {
      return (await this.#ask("GET", "")).ok;
    } catch {
      return false;
    }
  }

  /** Forgets the answers of a name and of all names below it, and learns whether the zone exists. One flush is not enough: see `forget-answers.ts`. */
  async flush(zone: string): Promise<void> {
    const answer = await this.#ask("PUT", `/cache/flush?domain=${encodeURIComponent(`${zone}.`)}`);
    if (!answer.ok) throw new Error(`PowerDNS answered ${answer.status} to a flush`);
  }

  /** Forgets the answers of a zone, and the keys and metadata of all zones, which a flush leaves. Not whether the zone exists. */
  async purge(zone: string): Promise<void> {
    const said = await this.#control(`PURGE ${zone}$`);
    if (!/^\d+/.test(said)) throw new Error("PowerDNS refused a purge");
  }

  /** Forgets all answers, keys and metadata of all zones. */
  async purgeAll(): Promise<void> {
    const said = await this.#control("PURGE");
    if (!/^\d+/.test(said)) throw new Error("PowerDNS refused a purge");
  }

  /** Reads from Postgres which zones exist. A flush does so for one zone, and PowerDNS by itself once a minute. */
  async learnZones(): Promise<void> {
    const said = await this.#control("REDISCOVER", LEARN_MS);
    if (!/^Ok/i.test(said)) throw new Error("PowerDNS did not read which zones exist");
  }

  /** Whether it answers on its control socket, which costs it nothing. */
  async answers(): Promise<boolean> {
    return (await this.#control("RPING").catch(() => "")) === "PONG";
  }

  /** Its counters since it started, by PowerDNS' names: `udp-queries`. */
  async statistics(): Promise<ReadonlyMap<string, number>> {
    const answer = await this.#ask("GET", "/statistics", STATISTICS_MS);
    if (!answer.ok) throw new Error(`PowerDNS answered ${answer.status}`);
    const items = (await answer.json()) as { name: string; type: string; value: unknown }[];
    return new Map(
      items.flatMap(({ name, type, value }) => (type === "StatisticItem" ? [[name, Number(value)] as const] : [])),
    );
  }

  async #ask(
    method: string,
    path: string,
    patienceMs = PATIENCE_MS,
  ): Promise<{ readonly ok: boolean; readonly status: number; json(): Promise<unknown> }> {
    const answer = await fetch(`${this.#base}${path}`, {
      method,
      headers: { "x-api-key": this.#key },
      redirect: "manual",
      signal: AbortSignal.timeout(patienceMs),
    });
    const body = await answer.text();
    return { ok: answer.ok, status: answer.status, json: async () => JSON.parse(body) as unknown };
  }

  /** One command and its answer, as pdns_control sends it. */
  #control(command: string, patienceMs = PATIENCE_MS): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.#socket);
      let said = "";
      socket.setEncoding("utf8").setTimeout(patienceMs, () => socket.destroy(new Error("PowerDNS does not answer")));
      socket.on("connect", () => socket.write(`${command}\n`));
      socket.on("data", (text: string) => {
        said += text;
        if (said.includes("\n")) socket.end();
      });
      socket.on("error", reject);
      socket.on("close", () => resolve(said.trim()));
    });
  }
}
