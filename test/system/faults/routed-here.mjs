// Loaded before everything else into a worker whose network is to lead one public address, ROUTED_HERE, to this machine: what
// looks up and judges addresses is the worker's own, and sees that one.
import tls from "node:tls";

const { connect } = tls;
tls.connect = (options) => {
  const lookup = (name, how, done) =>
    options.lookup(name, how, (error, found, family) => {
      if (error) return done(error, found, family);
      const isRouted = how.all && found.every(({ address }) => address === process.env.ROUTED_HERE);
      if (isRouted) done(null, [{ address: "127.0.0.1", family: 4 }]);
      else done(new Error(`the test leads ${JSON.stringify(found)} nowhere`));
    });
  return connect({ ...options, lookup });
};
