/** The part of BullMQ 6 that the benchmarks use: `npm run check` knows it without the package, which only `npm run bench` installs. */
declare module "bullmq" {
  interface Options {
    readonly connection: { readonly path: string; readonly maxRetriesPerRequest: null };
  }
  export class Queue<Data> {
    constructor(name: string, options: Options);
    addBulk(jobs: readonly { readonly name: string; readonly data: Data }[]): Promise<unknown>;
    close(): Promise<void>;
  }
  export class Worker<Data> {
    constructor(
      name: string,
      run: (job: { readonly data: Data }) => Promise<unknown>,
      options: Options & { readonly concurrency: number },
    );
    on(event: "error", listener: (error: Error) => void): this;
    on(event: "completed", listener: () => void): this;
    waitUntilReady(): Promise<unknown>;
  }
}
