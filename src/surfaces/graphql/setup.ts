// Preparations that libraries need before they are loaded. Imported before every module that imports them.

// TypeGraphQL requires it, although we name every type ourselves.
import "reflect-metadata";

// Grafast reads this once: unset, it prints a notice; in development, it plans every operation more slowly, with checks.
// biome-ignore lint/style/noProcessEnv: a setting of a library, which reads it nowhere else
process.env.GRAPHILE_ENV ??= "production";
