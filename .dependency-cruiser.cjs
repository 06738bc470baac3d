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
      comment: "Programs that are started import everything. Nothing imports them.",
      severity: "error",
      from: { pathNot: "^(src/main|test)/" },
      to: { path: "^src/main/" },
    },
    {
      name: "surfaces-know-no-service",
      comment:
        "REST, GraphQL, the command line and pages receive the services, define what they read of a service, and know no service by name.",
      severity: "error",
      from: { path: "^src/surfaces/" },
      to: { path: "^(src/services|workers)/" },
    },
    {
      name: "the-type-of-services-names-no-service",
      comment:
        "services/service.ts and started-service.ts describe any service. A type that they share with one service stands beside the code that reads it.",
      severity: "error",
      from: { path: "^src/services/(service|started-service)[.]ts$" },
      to: { path: "^src/services/[^/]+/" },
    },
    {
      name: "the-type-of-services-takes-one-file-of-workers",
      comment:
        "worked-service.ts describes what a worker reads of a service. Tasks and their context belong to the workers.",
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
      comment: "A service knows itself and the platform, and no other service.",
      severity: "error",
      from: { path: "^src/services/([^/]+)/" },
      to: { path: "^src/services/[^/]+/", pathNot: "^src/services/($1|platform)/" },
    },
    {
      name: "jobs-know-their-service",
      comment: "A job knows its own service and the platform, and no other service.",
      severity: "error",
      from: { path: "^workers/([^/]+)/" },
      to: { path: "^src/services/", pathNot: "^src/services/($1|platform)/" },
    },
    {
      name: "jobs-know-no-definition",
      comment: "The runner passes the services to them.",
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
      comment: "The runner runs jobs of all services, and receives the services.",
      severity: "error",
      from: { path: "^workers/[^/]+[.]ts$" },
      to: { path: "^(src/services|workers/[^/]+)/" },
    },
    {
      name: "src-holds-folders-only",
      comment: "A folder shows who reads a file. A file directly in src/ does not.",
      severity: "error",
      from: {},
      to: { path: "^src/[^/]+$" },
    },
    {
      name: "below-are-no-services",
      comment: "The database layer and the adapters know nothing of services, HTTP, GraphQL or jobs.",
      severity: "error",
      from: { path: "^src/(adapters|postgres)/" },
      to: { path: "^(src/(services|surfaces|main)|workers)/" },
    },
    {
      name: "adapters-know-no-database",
      comment: "An adapter receives what it needs. It knows nothing of tenants, credentials or the database.",
      severity: "error",
      from: { path: "^src/adapters/" },
      to: { path: "^src/postgres/" },
    },
    {
      name: "only-postgres-imports-pg",
      comment: "This holds for types as well: src/postgres exports what others need.",
      severity: "error",
      from: { pathNot: "^(src/postgres|test)/" },
      to: { path: "(^|/)node_modules/(@types/)?pg/" },
    },
    {
      name: "web-imports-nothing-of-the-server",
      comment:
        "The browser's code speaks to the server over HTTP only. Both share nothing but the verifier, and what opens certificate files.",
      severity: "error",
      from: { path: "^src/web/" },
      to: { path: "^(src|workers)/", pathNot: "^src/(web|verifier|pkcs12)/" },
    },
    {
      name: "pkcs12-runs-anywhere",
      comment: "A browser opens certificate files with it, too: it imports nothing of Node.",
      severity: "error",
      from: { path: "^src/pkcs12/" },
      to: { pathNot: "^(src/pkcs12/|node_modules/(@types/)?node-forge/)" },
    },
    {
      name: "the-verifier-runs-anywhere",
      comment:
        "The verifier runs in a browser, as one file and without our servers: it imports nothing of the server, nothing of Node, and few packages.",
      severity: "error",
      from: { path: "^src/verifier/" },
      to: { pathNot: "^(src/verifier/|node_modules/(@(noble|cantoo)|fflate)/)" },
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
    // A separate package.
    exclude: { path: "^test/clients/" },
  },
};
