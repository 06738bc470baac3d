// `npm test`, `npm run test:system`, `npm run test:full`, each with arguments of vitest: system packages, then vitest, then one
// last line "N passed, N failed". Without a file or project `npm test` runs what is fast; with a file it runs that of either lane.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import { parseCLI, startVitest, type TestCase, type Vitest } from "vitest/node";

/** What the tests run besides npm packages: a command (or the path of one) and the Debian package that has it. */
const SYSTEM_PACKAGES = [
  { command: "openssl", debianPackage: "openssl" },
  { command: "python3", debianPackage: "python3" },
  { command: "curl", debianPackage: "curl" },
  { command: "pdftotext", debianPackage: "poppler-utils" },
  { command: "qpdf", debianPackage: "qpdf" },
  { command: "zbarimg", debianPackage: "zbar-tools" },
  { command: "xmllint", debianPackage: "libxml2-utils" },
  { command: "tesseract", debianPackage: "tesseract-ocr" },
  { command: "fribidi", debianPackage: "libfribidi-bin" },
  { command: "/usr/lib/python3/dist-packages/argon2", debianPackage: "python3-argon2" },
  { command: "oathtool", debianPackage: "oathtool" },
  { command: "xmllint", debianPackage: "libxml2-utils" },
  { command: "xmlsec1", debianPackage: "xmlsec1" },
];
/** And those of all other projects. */
const MORE_SYSTEM_PACKAGES = [
  { command: "psql", debianPackage: "postgresql-client" },
  { command: "/usr/bin/named-compilezone", debianPackage: "bind9-utils" },
  { command: "/usr/lib/postgresql/15/bin/postgres", debianPackage: "postgresql-15" },
  { command: "/usr/bin/chromium-headless-shell", debianPackage: "chromium-headless-shell" },
  { command: "named-checkzone", debianPackage: "bind9-utils" },
  { command: "dig", debianPackage: "bind9-dnsutils" },
  { command: "/usr/sbin/unbound", debianPackage: "unbound" },
  { command: "/usr/sbin/nsd", debianPackage: "nsd" },
  { command: "ldns-signzone", debianPackage: "ldnsutils" },
  { command: "lego", debianPackage: "lego" },
  { command: "pebble", debianPackage: "pebble" },
  { command: "lexicon", debianPackage: "lexicon" },
  { command: "/usr/lib/python3/dist-packages/dns", debianPackage: "python3-dnspython" },
  { command: "softhsm2-util", debianPackage: "softhsm2" },
  { command: "pkcs11-tool", debianPackage: "opensc" },
];
/** And those of full files. */
const FULL_SYSTEM_PACKAGES = [{ command: "gs", debianPackage: "ghostscript" }];

const { filter, options } = parseCLI(["vitest", "run", ...process.argv.slice(2)]);
options.project ??= filter.length === 0 ? ["fast"] : ["fast", "system"];
const projects = [options.project].flat();
const packages = [
  ...SYSTEM_PACKAGES,
  ...(projects.join() === "fast" ? [] : MORE_SYSTEM_PACKAGES),
  ...(projects.includes("full") ? FULL_SYSTEM_PACKAGES : []),
];

ensureSystemPackages();
process.exit(await runTests());

/** Installs what is missing where that needs no question; otherwise prints the one command to run and ends the process. */
function ensureSystemPackages(): void {
  const missing = missingPackages();
  if (missing.length === 0) return;

  console.log(`The tests need these system packages: ${missing.join(" ")}`);
  const asRoot = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  if (existsSync("/etc/debian_version") && succeeds([...asRoot, "true"])) {
    // The tests start servers of their own: without this file Debian would create and start one as well.
    // (An existing file is somebody's decision and stays. UCF_… keeps ours when postgresql-common brings its own.)
    const script = `
      export DEBIAN_FRONTEND=noninteractive UCF_FORCE_CONFFOLD=1
      conf=/etc/postgresql-common/createcluster.conf
      [ -e "$conf" ] || { mkdir -p "$(dirname "$conf")"; echo "create_main_cluster = false" > "$conf"; }
      apt-get -qq update
      apt-get -qq install -y --no-install-recommends -o DPkg::Lock::Timeout=300 ${missing.join(" ")}`;
    if (succeeds([...asRoot, "sh", "-ec", script]) && missingPackages().length === 0) return;
  }
  console.error(`Install them, then run the tests again:\n  sudo apt-get install -y ${missing.join(" ")}`);
  process.exit(1);
}

function missingPackages(): string[] {
  return packages.filter(({ command }) => !isExecutable(command)).map(({ debianPackage }) => debianPackage);
}

function isExecutable(command: string): boolean {
  // `resolve` leaves an absolute path as it is, whatever the folder.
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(resolve(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function succeeds(commandLine: string[]): boolean {
  return spawnSync("env", commandLine, { stdio: ["ignore", "inherit", "inherit"] }).status === 0;
}

/** Runs vitest, prints the reasons of skipped tests and the counts; returns the exit code. */
async function runTests(): Promise<number> {
  let counts: Counts = { passed: 0, failed: 1, failures: [], skipped: [] };
  try {
    const vitest = await startVitest(filter, { ...options, watch: false });
    await vitest.close(); // runs the global teardown, whose output belongs above the counts
    counts = count(vitest);
    // Those that came after its summary are in no summary.
    for (const error of vitest.state.getUnhandledErrors()) console.error("unhandled:", error);
  } catch (error) {
    console.error(error);
  }

  const { passed, skipped } = counts;
  // Whatever else made vitest fail (a teardown, a coverage limit) is a failure of the run.
  const failed = Math.max(counts.failed, process.exitCode ? 1 : 0);
  if (passed + failed === 0) console.error("No test ran.");
  for (const test of skipped)
    console.log(`skipped: ${test.module.relativeModuleId} > ${test.fullName}: ${reason(test)}`);
  // Once more at the very end: often only the last lines of a run are kept.
  for (const failure of counts.failures) console.log(`failed: ${failure}`);
  console.log(`${passed} passed, ${failed} failed`);
  return passed === 0 || failed > 0 ? 1 : 0;
}

interface Counts {
  passed: number;
  failed: number;
  /** One line for each failure: where, and the first line of its error. */
  failures: string[];
  skipped: TestCase[];
}

function count(vitest: Vitest): Counts {
  let passed = 0;
  const failures: string[] = [];
  const skipped: TestCase[] = [];
  const fail = (place: string, errors: readonly { message?: string }[]) => {
    for (const { message = "" } of errors) failures.push(`${place}: ${message.split("\n", 1)[0]}`);
  };

  fail("outside of tests", vitest.state.getUnhandledErrors() as { message?: string }[]);
  for (const module of vitest.state.getTestModules()) {
    const place = module.relativeModuleId;
    // Not one of its tests, but the file or a hook around them.
    fail(place, module.errors());
    for (const suite of module.children.allSuites()) fail(`${place} > ${suite.fullName}`, suite.errors());
    for (const test of module.children.allTests()) {
      const { state, errors } = test.result();
      if (state === "passed") passed += 1;
      // "pending" is a failure as well: its process died.
      else if (state !== "skipped") fail(`${place} > ${test.fullName}`, [errors?.[0] ?? { message: state }]);
      else if (isChosen(test, vitest)) skipped.push(test);
    }
  }
  return { passed, failed: failures.length, failures, skipped };
}

/** False for what `-t pattern` left out: vitest calls that skipped as well. */
function isChosen(test: TestCase, vitest: Vitest): boolean {
  return vitest.config.testNamePattern?.test(test.fullName.replaceAll(" > ", " ")) ?? true;
}

function reason(test: TestCase): string {
  const result = test.result();
  if (result.state === "skipped" && result.note) return result.note;
  let suite = test.parent;
  while (suite.type === "suite" && suite.errors().length === 0) suite = suite.parent;
  return suite.errors().length > 0 ? "a hook around it failed" : "no reason given";
}
