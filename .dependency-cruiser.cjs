// The arrows of the architecture, one way: rest, graphql, workers → operations → adapters, db.
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
      name: "surfaces-know-nothing-of-each-other",
      comment: "REST, GraphQL and the worker meet in operations, never in each other.",
      severity: "error",
      from: { path: "^(src/rest|src/graphql|workers)/" },
      to: { path: "^(src/rest|src/graphql|workers)/", pathNot: "^$1/" },
    },
    {
      name: "nothing-below-imports-a-surface",
      comment: "Operations and what lies below them know nothing of HTTP, GraphQL or jobs.",
      severity: "error",
      // The generator is a program of its own, which asks every surface for its schema.
      from: { path: "^src/(operations|adapters|db|auth)/" },
      to: { path: "^(src/rest|src/graphql|workers)/" },
    },
    {
      name: "nothing-below-imports-operations",
      severity: "error",
      from: { path: "^src/(adapters|db|auth)/" },
      to: { path: "^src/operations/" },
    },
    {
      name: "adapters-know-no-database",
      comment: "An adapter is handed what it needs; it knows nothing of tenants, credentials or the database.",
      severity: "error",
      from: { path: "^src/adapters/" },
      to: { path: "^src/(db|auth)/" },
    },
    {
      name: "only-db-imports-pg",
      comment: "Types as well: what others need is exported by src/db.",
      severity: "error",
      from: { pathNot: "^(src/db|test)/" },
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
  },
};
