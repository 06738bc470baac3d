/** The simulator as a program (verAplic): it stands in each NFS-e that means nothing, also in the environment live. */
export const SIMULATOR_PROGRAM = "Selo simulador";
