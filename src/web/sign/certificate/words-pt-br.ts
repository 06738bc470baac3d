import type { CertificateWords } from "./words.ts";

export const ptBr: CertificateWords = {
  open: {
    heading: "Abra o seu certificado",
    asks: "{organization} pede uma assinatura com certificado ICP-Brasil (e-CPF ou e-CNPJ).",
    file: "Arquivo do certificado",
    hint: "Termina em .p12 ou .pfx. Costuma estar na pasta de downloads.",
    choose: "Escolher arquivo",
    change: "Trocar",
    size: "{size} KB",
    noFile: "Escolha o arquivo do seu certificado.",
    password: "Senha do arquivo",
    noPassword: "Digite a senha do arquivo.",
    show: "Mostrar a senha",
    stays: "Ficam neste aparelho",
    staysText: "O arquivo, a senha e a chave. São usados aqui, na hora, e descartados.",
    sent: "É enviado",
    sentText: "O certificado público (nome, CPF, emissor, validade) e a assinatura pronta.",
    token: "Uso um A3 (USB ou cartão)",
    tokenText: "O navegador não lê certificados A3. {guide} como assinar no computador, em dois comandos.",
    guide: "O guia mostra",
    submit: "Abrir o certificado",
    notSigning: "Abrir ainda não é assinar.",
  },
  opening: {
    heading: "Abrindo o seu certificado",
    patience: "Arquivos antigos podem levar até 30 segundos neste aparelho.",
    progress: "Andamento",
    reading: "Abrindo o arquivo neste aparelho",
    read: "Senha aceita, arquivo aberto neste aparelho",
    judging: "Examinando validade e emissor do certificado",
    preparing: "Preparando o documento para a sua assinatura",
    cancel: "Cancelar",
  },
  sign: {
    heading: "Assine com este certificado",
    agreement: "1. Sua concordância",
    certificate: "2. Seu certificado",
    cpf: "CPF {cpf}",
    issuer: "Emitido por",
    until: "Válido até",
    change: "Trocar",
    drawn: "No documento aparecem o seu nome, “ICP-Brasil” e o código de verificação.",
    submit: "Assinar com o certificado",
    busy: "Assinando…",
    again:
      "Outra pessoa assinou enquanto isso, e o documento mudou. A página prepara e assina de novo, com o mesmo certificado. Você não precisa fazer nada.",
  },
  done: {
    heading: "Você assinou com o seu certificado",
    sentence: "Você assinou {title} {when}.",
    dropped: "O arquivo, a senha e a chave já foram descartados. Nada deles saiu deste aparelho.",
    how: "Certificado ICP-Brasil de {name}, CPF {cpf}, emitido por {issuer}",
    state: "Situação do certificado na hora da assinatura",
    notRevoked: "Não revogado, segundo o emissor",
    howWithoutCpf: "Certificado ICP-Brasil de {name}, emitido por {issuer}",
  },
  faults: {
    chain: {
      sentence: "Este certificado não é da ICP-Brasil.",
      remedy:
        "Serve um e-CPF ou e-CNPJ emitido por autoridade da ICP-Brasil. Certificados de site ou feitos por empresa não servem.",
    },
    expired: {
      sentence: "Este certificado venceu em {date}.",
      remedy: "Escolha um que esteja válido ou renove o seu com quem o emitiu.",
    },
    not_yet: {
      sentence: "Este certificado só vale a partir de {date}.",
      remedy: "Escolha um que já esteja válido ou volte nesse dia.",
    },
    usage: {
      sentence: "Este certificado não foi emitido para assinar.",
      remedy: "Talvez seja o de cifrar ou o de um site. Escolha o de assinatura.",
    },
    key: {
      sentence: "A chave deste certificado não serve para assinar hoje.",
      remedy: "É preciso RSA de 2048 bits ou mais, ou ECDSA P-256 ou P-384. Peça outro a quem o emitiu.",
    },
    cpf: {
      sentence: "Este certificado é de outro CPF: {cpf}.",
      remedy: "O pedido espera o de {name}. Escolha o seu certificado.",
    },
    revoked: {
      sentence: "Este certificado foi revogado.",
      remedy: "Ele não pode mais assinar. Peça outro a quem o emitiu.",
    },
    revocation_unknown: {
      sentence: "Quem emitiu o certificado não respondeu se ele ainda vale.",
      remedy: "A falha não é sua nem do certificado. Tente de novo em alguns minutos.",
    },
    password: {
      sentence: "Senha errada para este arquivo.",
      remedy: "Tente de novo quantas vezes precisar: nada é enviado.",
    },
    no_key: {
      sentence: "{file} não traz a chave, só o certificado público.",
      remedy: "Escolha o arquivo .p12 ou .pfx, o que pede senha.",
    },
    damaged: {
      sentence: "{file} está danificado ou não é o arquivo de um certificado.",
      remedy: "Escolha o arquivo .p12 ou .pfx, o que pede senha.",
    },
    unsupported: {
      sentence: "{file} usa uma proteção que esta página não conhece.",
      remedy: "Exporte o certificado de novo, com a chave e a configuração normal.",
    },
    time: {
      sentence: "Este arquivo leva tempo demais para abrir neste aparelho.",
      remedy: "Tente num computador ou exporte o certificado de novo, com a configuração normal.",
    },
    thread: {
      sentence: "Não foi possível carregar o que abre o arquivo.",
      remedy: "Confira a rede e tente de novo. Nada foi enviado.",
    },
  },
  wrongCpf: "Se é este e o CPF do pedido está errado, responda ao e-mail do convite.",
  revokedAt: "Este certificado foi revogado em {date}.",
  insecure: {
    sentence: "Aqui não é seguro digitar a senha de um certificado.",
    remedy: "Esta página foi aberta sem https. Abra o link do convite como chegou, começando por https.",
  },
};
