// The installs of nameserver-install.test.ts, upgraded by each user and killed at more moments.
import "./nameserver-install.test.ts";
