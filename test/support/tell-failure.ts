// Below a failed test: what its error does not say, so that the log alone is enough to understand it.
import os from "node:os";
import { beforeEach } from "vitest";
import { lastAnswers } from "./last-answers.ts";

// Not performance.now(): some tests replace it.
beforeEach(({ task, onTestFailed }) => {
  lastAnswers.clear();
  const began = process.uptime();
  onTestFailed(() => {
    const lasted = (process.uptime() - began).toFixed(1);
    const load = os.loadavg().map((average) => average.toFixed(1));
    console.log(
      [
        `${task.name}: failed after ${lasted} s; ${new Date().toISOString()}, load ${load.join(" ")}`,
        ...lastAnswers.list(),
      ].join("\n"),
    );
  });
});
