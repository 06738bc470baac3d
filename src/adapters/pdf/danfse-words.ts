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
