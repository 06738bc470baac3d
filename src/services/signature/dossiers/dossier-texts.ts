/** What people read first in a dossier. */

interface Said {
  readonly code: string;
  readonly status: string;
  readonly endedAt: string;
  readonly verifyUrl: string;
  /** Whether there is seal.json. */
  readonly isSealed: boolean;
}

const sealLines = `  seal.json       the audit seal that covers the last of these events, and the way from the
                  event to the seal, which the platform's keys signed
`;

const linhasDoSelo = `  seal.json       o selo de auditoria que abrange o último desses eventos, e o caminho do
                  evento até o selo, que as chaves da plataforma assinaram
`;

/** README.txt. */
export const readMe = ({ code, status, endedAt, verifyUrl, isSealed }: Said): string => `DOSSIER OF ENVELOPE ${code}

Status: ${status}, at ${endedAt} (UTC). The times of all files are that instant.

  originals/      the documents as they were uploaded: {position}-{document_id}.pdf
  final/          the sealed documents, once the envelope is completed
  attachments/    the files that participants delivered, if any: {field_id}.{pdf|png|jpg}
  report.pdf      the evidence report
  evidence.json   what the keys of the platform signed, with all that opens it: names,
                  addresses, browsers, drawn signatures and values; the chain of events;
                  the names of the files
${isSealed ? sealLines : ""}  keys.json       the platform's public keys and certificates, as the platform publishes them
  SHA256SUMS      the digests of all these files

evidence.json holds personal data: pass it on with care.

HOW TO CHECK IT, WITHOUT A NETWORK

  1. Are the files whole?            sha256sum -c SHA256SUMS
  2. What do they prove?             node selo-verify.mjs dossier.zip --keys keys.json
     Fetch selo-verify.mjs and keys.json from the platform, and not from this file:
     whoever makes a false dossier puts false keys into it. The page
     ${verifyUrl} takes this file, too.
  3. The signatures inside the PDFs  pdfsig final/1-*.pdf
     Step 2 does not check these.
`;

/** LEIA-ME.txt. */
export const leiaMe = ({ code, status, endedAt, verifyUrl, isSealed }: Said): string => `DOSSIÊ DO ENVELOPE ${code}

Estado: ${status}, em ${endedAt} (UTC). A data de todos os arquivos é esse instante.

  originals/      os documentos como foram enviados: {posição}-{document_id}.pdf
  final/          os documentos selados, quando o envelope foi concluído
  attachments/    os arquivos que participantes entregaram, se houver: {field_id}.{pdf|png|jpg}
  report.pdf      o relatório de evidências
  evidence.json   o que as chaves da plataforma assinaram, com tudo que o abre: nomes,
                  endereços, navegadores, assinaturas desenhadas e valores; a cadeia de
                  eventos; os nomes dos arquivos
${isSealed ? linhasDoSelo : ""}  keys.json       as chaves públicas e os certificados da plataforma, como ela os publica
  SHA256SUMS      os resumos criptográficos de todos esses arquivos

evidence.json contém dados pessoais: entregue-o com cuidado.

COMO CONFERIR, SEM REDE

  1. Os arquivos estão íntegros?     sha256sum -c SHA256SUMS
  2. O que eles provam?              node selo-verify.mjs dossier.zip --keys keys.json
     Obtenha selo-verify.mjs e keys.json da plataforma, e não deste arquivo: quem faz um
     dossiê falso põe nele chaves falsas. A página
     ${verifyUrl} também aceita este arquivo.
  3. As assinaturas dentro dos PDFs  pdfsig final/1-*.pdf
     O passo 2 não confere estas.
`;
