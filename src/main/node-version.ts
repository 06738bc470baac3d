/** Imported first: an older Node would fail later, at the first use of a key. */
const NEEDED = 24;
if (Number(process.versions.node.split(".")[0]) < NEEDED) {
  console.error(
    `Selo needs Node ${NEEDED}; this is ${process.versions.node}. npm ci brought one: run through npm, or with node_modules/.bin/node.`,
  );
  process.exit(1);
}
