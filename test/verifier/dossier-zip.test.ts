import { dossierZipTests } from "./dossier-zip-stage.ts";

dossierZipTests(false);
