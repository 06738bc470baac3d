// `npm test -- --reporter=./test/support/phases-reporter.ts`: where the time of a run goes, by phase and by file.
import type { Reporter, TestModule } from "vitest/node";

const MOST_FILES = 10;

const seconds = (milliseconds: number) => (milliseconds / 1_000).toFixed(1).padStart(8);

export default class PhasesReporter implements Reporter {
  readonly #began = performance.now();

  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module) => ({ name: module.relativeModuleId, ...module.diagnostic() }));
    const sum = (of: (file: (typeof files)[number]) => number) =>
      seconds(files.reduce((total, file) => total + of(file), 0));
    // Of all processes together: as many files run at a time as there are cores.
    console.log(`${sum((file) => file.environmentSetupDuration + file.prepareDuration + file.setupDuration)} s  start`);
    console.log(`${sum((file) => file.collectDuration)} s  import`);
    console.log(`${sum((file) => file.duration)} s  tests`);
    console.log(`${seconds(performance.now() - this.#began)} s  from the first to the last`);
    console.log("  import     tests");
    for (const file of files.sort((one, other) => lasted(other) - lasted(one)).slice(0, MOST_FILES))
      console.log(`${seconds(file.collectDuration)}  ${seconds(file.duration)}  ${file.name}`);
  }
}

function lasted(file: { readonly collectDuration: number; readonly duration: number }): number {
  return file.collectDuration + file.duration;
}
