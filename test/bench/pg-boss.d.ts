/** The part of pg-boss 12 that the benchmarks use: `npm run check` knows it without the package, which only `npm run bench` installs. */
declare module "pg-boss" {
  export class PgBoss {
    constructor(options: {
      readonly connectionString: string;
      readonly supervise: boolean;
      readonly schedule: boolean;
      /** Connections. */
      readonly max?: number;
    });
    on(event: "error", listener: (error: Error) => void): this;
    start(): Promise<unknown>;
    stop(options: { readonly graceful: boolean }): Promise<void>;
    createQueue(name: string): Promise<void>;
    insert<Data extends object>(queue: string, jobs: { readonly data: Data }[]): Promise<unknown>;
    fetch<Data>(
      queue: string,
      options: { readonly batchSize: number },
    ): Promise<{ readonly id: string; readonly data: Data }[]>;
    complete(queue: string, ids: string[], output: object): Promise<unknown>;
  }
}
