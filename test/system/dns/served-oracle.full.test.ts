// What served-oracle.test.ts asks of the tool of PowerDNS, about more random zones.
import "./served-oracle.test.ts";
