// What zone-file-oracle.test.ts asks of BIND, about more random zones and files.
import "./zone-file-oracle.test.ts";
