// What content-oracle.test.ts asks of BIND and dnspython, about more contents.
import "./content-oracle.test.ts";
