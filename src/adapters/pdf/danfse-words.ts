/** The words for codes of the NFS-e (`tiposSimples_v1.01.xsd`). */
type Words = Readonly<Record<string, string>>;

/** opSimpNac. */
export const SIMPLES: Words = {
  1: "Não optante",
  2: "Optante – Microempreendedor Individual (MEI)",
  3: "Optante – Microempresa ou Empresa de Pequeno Porte (ME/EPP)",
};

/** regApTribSN. */
export const SIMPLES_REGIMES: Words = {
  1: "Tributos federais e municipal pelo Simples Nacional",
  2: "Tributos federais pelo Simples Nacional, ISSQN por fora",
  3: "Tributos federais e municipal por fora do Simples Nacional",
};

/** regEspTrib. */
export const SPECIAL_REGIMES: Words = {
  0: "Nenhum",
  1: "Ato cooperado (cooperativa)",
  2: "Estimativa",
  3: "Microempresa municipal",
  4: "Notário ou registrador",
  5: "Profissional autônomo",
  6: "Sociedade de profissionais",
  9: "Outros",
};

/** tribISSQN. */
export const TAXATIONS: Words = {
  1: "Operação tributável",
  2: "Imunidade",
  3: "Exportação de serviço",
  4: "Não incidência",
};

/** tpSusp. */
export const SUSPENSIONS: Words = {
  1: "Por decisão judicial",
  2: "Por processo administrativo",
};

/** tpRetISSQN. */
export const WITHHOLDINGS: Words = {
  1: "Não retido",
  2: "Retido pelo tomador",
  3: "Retido pelo intermediário",
};

/** tpRetPisCofins. */
export const WITHHELD_CONTRIBUTIONS: Words = {
  0: "PIS, COFINS e CSLL não retidos",
  1: "PIS e COFINS retidos",
  2: "PIS e COFINS não retidos",
  3: "PIS, COFINS e CSLL retidos",
  4: "PIS e COFINS retidos",
  5: "PIS retido",
  6: "COFINS retida",
  7: "COFINS e CSLL retidas",
  8: "CSLL retida",
  9: "PIS e CSLL retidos",
};

/** tpImunidade, shortened. */
export const IMMUNITIES: Words = {
  0: "Tipo não informado",
  1: "Entes federativos (CF, art. 150, VI, a)",
  2: "Templos (CF, art. 150, VI, b)",
  3: "Partidos, sindicatos, educação, assistência (CF, art. 150, VI, c)",
  4: "Livros, jornais e periódicos (CF, art. 150, VI, d)",
  5: "Fonogramas e videofonogramas (CF, art. 150, VI, e)",
};

/** ambGer. */
export const GENERATORS: Words = { 1: "Prefeitura", 2: "Sistema Nacional da NFS-e" };

/** tpAmb. */
export const ENVIRONMENTS: Words = { 1: "Produção", 2: "Homologação" };

/** tpEmit. */
export const ISSUERS: Words = { 1: "Prestador", 2: "Tomador", 3: "Intermediário" };

/** cStat. */
export const STATUSES: Words = {
  100: "NFS-e gerada",
  102: "NFS-e de decisão judicial",
  103: "NFS-e avulsa",
  107: "NFS-e MEI",
};

/** finNFSe. */
export const PURPOSES: Words = { 0: "NFS-e regular" };
