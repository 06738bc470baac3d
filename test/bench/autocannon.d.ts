/** The part of autocannon 9 that the benchmarks use: `npm run check` knows it without the package, which only `npm run bench` installs. */
declare module "autocannon" {
  interface Options {
    readonly url: string;
    readonly connections: number;
    /** Seconds. */
    readonly duration: number;
    readonly requests: readonly {
      readonly method: string;
      readonly headers: Readonly<Record<string, string>>;
      /** Called before every request. */
      readonly setupRequest: (request: object) => object;
    }[];
  }
  interface Result {
    readonly "2xx": number;
    readonly non2xx: number;
    readonly errors: number;
    /** How often each status came. */
    readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>;
    /** Seconds. */
    readonly duration: number;
    /** Milliseconds. */
    readonly latency: { readonly p50: number; readonly p99: number };
  }
  export default function autocannon(options: Options): Promise<Result>;
}
