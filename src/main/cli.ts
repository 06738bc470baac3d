#!/usr/bin/env node
import "./node-version.ts";
import "./worker-heap.ts";
import { services } from "../services/services.ts";
import { runCli } from "./run-cli.ts";

await runCli(services, process.argv.slice(2));
