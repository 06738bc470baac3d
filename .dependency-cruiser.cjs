// The arrows of the house, one way: main → surfaces, workers, services; services → adapters, postgres, and the forms of surfaces.
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
      comment: "REST, GraphQL, the command line and pages are handed the services; they know none by its name.",
      severity: "error",
      from: { path: "^src/surfaces/" },
      to: { path: "^(src/services|workers)/" },
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
