// The arrows, one way: main → surfaces, workers, services; workers → services; services → adapters, postgres, and the forms of surfaces.
/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "nothing-imports-main",
      comment: "What is started imports everything; nothing imports it.",
      severity: "error",
      from: { pathNot: "^(src/main|test)/" },
      to: { path: "^src/main/" },
    },
    {
      name: "surfaces-know-no-service",
      comment:
        "REST, GraphQL, the command line and pages are handed the services, define what they read of one, and know none by its name.",
      severity: "error",
      from: { path: "^src/surfaces/" },
      to: { path: "^(src/services|workers)/" },
    },
    {
      name: "the-type-of-services-names-no-service",
      comment:
        "services/service.ts and started-service.ts say what any service is; a type that they share with a service stands where its readers are.",
      severity: "error",
      from: { path: "^src/services/(service|started-service)[.]ts$" },
      to: { path: "^src/services/[^/]+/" },
    },
    {
      name: "the-type-of-services-takes-one-file-of-workers",
      comment: "What a worker reads of a service is worked-service.ts; tasks and their context are the workers' own.",
      severity: "error",
      from: { path: "^src/services/(service|started-service)[.]ts$" },
      to: { path: "^workers/", pathNot: "^workers/worked-service[.]ts$" },
    },
    {
      name: "only-definitions-name-workers",
      comment:
        "A service's jobs call its code, and its code calls no job: only service.ts names the files that workers load.",
      severity: "error",
      from: { path: "^src/services/", pathNot: ["^src/services/service[.]ts$", "^src/services/[^/]+/service[.]ts$"] },
      to: { path: "^workers/" },
    },
    {
      name: "definitions-load-workers-lazily",
      comment: "A gateway loads every service.ts and runs no job.",
      severity: "error",
      from: { path: "^src/services/([^/]+)/service[.]ts$" },
      to: { path: "^workers/", dependencyTypesNot: ["dynamic-import"] },
    },
    {
      name: "definitions-load-their-own-workers",
      severity: "error",
      from: { path: "^src/services/([^/]+)/service[.]ts$" },
      to: { path: "^workers/", pathNot: "^workers/$1/" },
    },
    {
      name: "services-are-apart",
      comment: "Beside itself, a service knows the platform.",
      severity: "error",
      from: { path: "^src/services/([^/]+)/" },
      to: { path: "^src/services/[^/]+/", pathNot: "^src/services/($1|platform)/" },
    },
    {
      name: "jobs-know-their-service",
      comment: "Beside its own service, a job knows the platform.",
      severity: "error",
      from: { path: "^workers/([^/]+)/" },
      to: { path: "^src/services/", pathNot: "^src/services/($1|platform)/" },
    },
    {
      name: "jobs-know-no-definition",
      comment: "The runner hands them the services.",
      severity: "error",
      from: { path: "^workers/[^/]+/" },
      to: { path: ["^src/services/[^/]+[.]ts$", "^src/services/[^/]+/service[.]ts$"] },
    },
    {
      name: "jobs-of-services-are-apart",
      severity: "error",
      from: { path: "^workers/([^/]+)/" },
      to: { path: "^workers/[^/]+/", pathNot: "^workers/$1/" },
    },
    {
      name: "the-runner-knows-no-service",
      comment: "What runs jobs of all services is handed the services.",
      severity: "error",
      from: { path: "^workers/[^/]+[.]ts$" },
      to: { path: "^(src/services|workers/[^/]+)/" },
    },
    {
      name: "src-holds-folders-only",
      comment: "A file of its own in src/ says nothing of who reads it; a folder does.",
      severity: "error",
      from: {},
      to: { path: "^src/[^/]+$" },
    },
    {
      name: "below-are-no-services",
      comment: "The database and what is outside know nothing of services, HTTP, GraphQL or jobs.",
      severity: "error",
      from: { path: "^src/(adapters|postgres)/" },
      to: { path: "^(src/(services|surfaces|main)|workers)/" },
    },
    {
      name: "adapters-know-no-database",
      comment: "An adapter is handed what it needs; it knows nothing of tenants, credentials or the database.",
      severity: "error",
      from: { path: "^src/adapters/" },
      to: { path: "^src/postgres/" },
    },
    {
      name: "only-postgres-imports-pg",
      comment: "Types as well: what others need is exported by src/postgres.",
      severity: "error",
      from: { pathNot: "^(src/postgres|test)/" },
      to: { path: "(^|/)node_modules/(@types/)?pg/" },
    },
    {
      name: "web-imports-nothing-of-the-server",
      comment: "The browser's code speaks to the server over HTTP only; what it shares with it is the verifier.",
      severity: "error",
      from: { path: "^src/web/" },
      to: { path: "^(src|workers)/", pathNot: "^src/(web|verifier)/" },
    },
    {
      name: "the-verifier-runs-anywhere",
      comment: "In a browser, in one file, without us: nothing of the server, nothing of Node, few packages.",
      severity: "error",
      from: { path: "^src/verifier/" },
      to: { pathNot: "^(src/verifier/|node_modules/@(noble|cantoo)/)" },
    },
    {
      name: "the-product-never-imports-tests",
      severity: "error",
      from: { path: "^(src|workers)/" },
      to: { path: "^test/" },
    },
  ],
  options: {
    // Read as TypeScript with its own settings; `import type` counts as an arrow, too.
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    // A package of its own.
    exclude: { path: "^test/clients/" },
  },
};
