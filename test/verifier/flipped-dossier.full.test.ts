import { flippedDossier } from "./flipped-dossier-stage.ts";

flippedDossier(1);
