/** The words for codes of the NFS-e (`tiposSimples_v1.01.xsd`). */
type Words = Readonly<Record<string, string>>;

/** opSimpNac. */
export const SIMPLES: Words = {
  1: "Não Optante",
  2: "Optante - Microempreendedor Individual (MEI)",
  3: "Optante - Microempresa ou Empresa de Pequeno Porte (ME/EPP)",
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
  1: "Operação Tributável",
  2: "Imunidade",
  3: "Exportação de Serviço",
  4: "Não Incidência",
};

/** tpSusp. */
export const SUSPENSIONS: Words = {
  1: "Exigibilidade Suspensa por Decisão Judicial",
  2: "Exigibilidade Suspensa por Processo Administrativo",
};

/** tpRetISSQN. */
export const WITHHOLDINGS: Words = {
  1: "Não Retido",
  2: "Retido pelo Tomador",
  3: "Retido pelo Intermediário",
};

/** tpRetPisCofins. */
export const WITHHELD_CONTRIBUTIONS: Words = {
  0: "PIS/COFINS/CSLL Não Retidos",
  1: "PIS/COFINS Retidos",
  2: "PIS/COFINS Não Retidos",
  3: "PIS/COFINS/CSLL Retidos",
  4: "PIS/COFINS Retidos, CSLL Não Retido",
  5: "PIS Retido, COFINS/CSLL Não Retido",
  6: "COFINS Retido, PIS/CSLL Não Retido",
  7: "PIS Não Retido, COFINS/CSLL Retidos",
  8: "PIS/COFINS Não Retidos, CSLL Retido",
  9: "COFINS Não Retido, PIS/CSLL Retidos",
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
export const GENERATORS: Words = { 1: "Sistema Próprio do Município", 2: "Sefin Nacional NFS-e" };

/** tpAmb. */
export const ENVIRONMENTS: Words = { 1: "Produção", 2: "Homologação" };

/** tpEmit. */
export const ISSUERS: Words = { 1: "Prestador", 2: "Tomador", 3: "Intermediário" };

/** cStat. */
export const STATUSES: Words = {
  100: "NFS-e Gerada",
  101: "NFS-e de Substituição Gerada",
  102: "NFS-e de Decisão Judicial ou Administrativa",
  103: "NFS-e Avulsa",
  107: "NFS-e MEI",
};

/** finNFSe. */
export const PURPOSES: Words = { 0: "NFS-e regular", 1: "NFS-e de crédito", 2: "NFS-e de débito" };

/** The states, by the first two digits of the codes of their municipalities (IBGE). */
export const STATES: Words = {
  ...{ 11: "RO", 12: "AC", 13: "AM", 14: "RR", 15: "PA", 16: "AP", 17: "TO" },
  ...{ 21: "MA", 22: "PI", 23: "CE", 24: "RN", 25: "PB", 26: "PE", 27: "AL", 28: "SE", 29: "BA" },
  ...{ 31: "MG", 32: "ES", 33: "RJ", 35: "SP", 41: "PR", 42: "SC", 43: "RS", 50: "MS", 51: "MT", 52: "GO", 53: "DF" },
};
