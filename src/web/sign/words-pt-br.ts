import { ptBr as reader } from "./reader/words-pt-br.ts";
import type { SignWords } from "./words.ts";

export const ptBr: SignWords = {
  title: "Pedido de assinatura · Selo",
  description: "Leia um documento que enviaram a você e assine.",
  opening: "Abrindo o pedido.",
  sender: "quem enviou o pedido",
  noScript: {
    heading: "Esta página precisa de um navegador mais novo, com JavaScript",
    text: "Abra o link numa versão atual do Chrome, Edge, Firefox ou Safari, com o JavaScript ligado. Se você não tiver um desses navegadores, fale com quem enviou o pedido.",
  },
  testHeading: "TESTE",
  testText: "Nada aqui tem valor jurídico. Nenhum crédito é gasto.",
  testTitle: "TESTE",
  skip: "Ir para o conteúdo",
  decline: "Recusar",
  actions: "O que fazer agora",
  steps: {
    request: "Pedido",
    code: "Código",
    factor: "Confirmação",
    read: "Leitura",
    fields: "Preenchimento",
    certificate: "Certificado",
    act: "Assinatura",
    copies: "Cópia",
    delegate: "Passar",
  },
  progress: "etapa {step} de {of}",
  request: {
    heading: {
      signatario: "{organization} pede a sua assinatura",
      aprovador: "{organization} pede a sua aprovação",
      testemunha: "{organization} pede que você seja testemunha",
      observador: "{organization} mostra um documento a você",
    },
    headingOfCopies: "O documento está assinado: sua cópia está pronta",
    document: "Documento: {title}",
    messageBy: "Mensagem escrita por {organization}",
    to: "Para",
    notMe: "Não sou eu",
    notMeText: "Então feche esta página sem continuar. Se quiser, avise {sender}.",
    handOn: "Passar a outra pessoa",
    handOnText: "Ou é outra pessoa que deve assinar? Quem enviou permite que você passe o documento.",
    handOnCode: "Para que ninguém passe em seu nome, antes pedimos um código.",
    safe: "Abrir esta página não assina nada. Antes de assinar, você pode ler o documento inteiro. Aqui ninguém pede senha nem pagamento.",
    safeWithCertificate:
      "Abrir esta página não assina nada. Antes de assinar, você pode ler o documento inteiro. A senha do seu certificado fica neste aparelho, e aqui ninguém pede pagamento.",
    copiesText: "Um código também protege os documentos aqui. Ele vai para o mesmo e-mail do convite.",
    copiesTextOfSms: "Um código também protege os documentos aqui. Ele chega por SMS.",
    getCode: "Receber o código",
    goOn: "Continuar",
    privacy: "Privacidade",
    terms: "Termos de uso",
    operatedBy: "Operado por",
  },
  code: {
    heading: "Digite o código",
    goesTo: "O código vai para {sent_to}",
    sent: "Enviamos 6 números para {sent_to} {time}. O código também está no assunto da mensagem.",
    label: "Código de 6 números",
    goodUntil: "Vale até {time} ({zone}).",
    wrong: "Código errado. Restam {tries} tentativas.",
    wrongOne: "Código errado. Resta uma tentativa.",
    usedUp: "Este código não vale mais. Peça outro abaixo.",
    malformed: "O código tem 6 números, como 481907.",
    notReceived: "Não recebi o código",
    notReceivedText:
      "Ele pode levar um minuto. Procure também na caixa de spam. Se o endereço acima não for seu, avise {sender}.",
    submit: "Continuar",
    another: "Enviar outro código",
    anotherIn: "Enviar outro código (em {wait})",
    sms: {
      heading: "Digite o código do SMS",
      goesTo: "O código vai por SMS para o celular {sent_to}",
      sent: "Enviamos 6 números para o celular {sent_to} {time}.",
      nobodyAsks: "Ninguém do Selo pede este código por telefone, e-mail ou mensagem.",
      notReceived: "Não recebi o SMS",
      notReceivedText:
        "Pode levar um minuto. Veja se o celular tem sinal. Se o número acima não for o seu, avise {sender}.",
      another: "Enviar outro SMS",
      anotherIn: "Enviar outro SMS (em {wait})",
    },
  },
  read: {
    heading: "Leia o documento",
    several: "Leia os {count} documentos",
    toTheEnd: "Vá até a última página e continue.",
    done: "Já li",
    notYet: "Vá primeiro até a última página.",
    onlyRead: "O documento é só para seu conhecimento. Você não precisa fazer mais nada e pode fechar esta página.",
    fieldsFollow: "Há {count} campos a seguir.",
    fieldsFollowOne: "Há um campo a seguir.",
  },
  fields: {
    heading: "Preencha os campos",
    refused: "Este valor não foi aceito. Confira, por favor.",
    tooLong: "Este texto não cabe no espaço do documento. Use no máximo {most} caracteres, por favor.",
    notCalculated:
      "Não é possível calcular este valor. Confira se um dos números está vazio, é zero ou é grande demais.",
  },
  act: {
    heading: {
      signatario: "Assine o documento",
      aprovador: "Aprove o documento",
      testemunha: "Confirme como testemunha",
      observador: "Leia o documento",
    },
    agreement: "1. Sua concordância",
    readAll: "Ler tudo",
    showLess: "Mostrar menos",
    agree: "Li este texto e concordo.",
    version: "Texto {version}",
    disagree: "Marque para concordar. Sem isso não é possível continuar.",
    signature: "2. Sua assinatura",
    noSignature: "Desenhe ou digite a sua assinatura.",
    recorded:
      "Ficam registrados a impressão digital de cada arquivo (SHA-256), o texto com que você concordou, a sua assinatura, a data e a hora.",
    submit: {
      signatario: "Assinar",
      aprovador: "Aprovar",
      testemunha: "Confirmar como testemunha",
      observador: "Continuar",
    },
    busy: "Um momento…",
    signatureRefused: "Esta assinatura não foi aceita. Desenhe de novo ou digite.",
  },
  done: {
    heading: {
      signatario: "Você assinou o documento",
      aprovador: "Você aprovou o documento",
      testemunha: "Você confirmou como testemunha",
      observador: "Você leu o documento",
    },
    sentence: {
      signatario: "Você assinou {title} {when}.",
      aprovador: "Você aprovou {title} {when}.",
      testemunha: "Você confirmou {title} como testemunha {when}.",
      observador: "Você leu {title} {when}.",
    },
    sentenceWithoutTitle: "A sua parte ficou registrada {when}.",
    copyHeading: "Sua cópia chega por e-mail.",
    copyText:
      "Quando todos tiverem assinado, enviamos o documento assinado para {sent_to}. O link desse e-mail mostra a cópia por 90 dias.",
    copyTextOfOne:
      "Em alguns minutos enviamos o documento assinado para {sent_to}. O link desse e-mail mostra a cópia por 90 dias.",
    recorded: "O que foi registrado",
    how: "Como sabemos que foi você",
    howText: "Código enviado para {sent_to}, digitado {when}",
    howTextOfSms: "Código enviado por SMS para o celular {sent_to}, digitado {when}",
    agreement: "Texto com que você concordou",
    code: "Código de verificação",
    documents: "Documentos",
    fingerprint: "Impressão digital (SHA-256):",
    download: "Baixar {file}",
    downloadOne: "Baixar o que assinei",
    downloadFailed: "Não foi possível baixar o arquivo. Tente de novo ou espere a cópia por e-mail.",
    forgotten: "Este navegador não guarda nada do pedido. Você pode fechar esta página.",
    verify: "Como verificar o documento assinado",
  },
  copies: {
    heading: "Sua cópia",
    text: "{title}, pedido por {organization}, está assinado. Guarde os arquivos: com eles, qualquer pessoa pode verificar as assinaturas, mesmo sem este serviço.",
    report: "Baixar o relatório de evidências",
    reportFile: "relatorio-de-evidencias.pdf",
    verify: "Verificar este documento",
  },
  declining: {
    heading: "Recusar a assinatura?",
    text: "O pedido termina para todas as pessoas. {organization} recebe o motivo que você escrever.",
    textOfOne: "O pedido termina. {organization} recebe o motivo que você escrever.",
    label: "Por que você recusa?",
    missing: "Escreva o motivo, para que quem enviou saiba o que mudar.",
    hint: "É só corrigir algo? Fale antes com {sender}: assim o pedido continua aberto.",
    signInFirst: "Para que ninguém recuse em seu nome, antes pedimos um código.",
    cancel: "Voltar ao documento",
    submit: "Recusar a assinatura",
    getCode: "Receber o código",
  },
  declined: {
    heading: "Você recusou",
    text: [
      "O pedido terminou para todas as pessoas, e {organization} recebe o seu motivo por e-mail.",
      "Você não precisa fazer mais nada e pode fechar esta página. Se basta corrigir algo, quem enviou pode fazer um novo pedido.",
    ],
  },
  declinedOfOne: {
    heading: "Você recusou",
    text: [
      "O pedido terminou, e {organization} recebe o seu motivo por e-mail.",
      "Você não precisa fazer mais nada e pode fechar esta página. Se basta corrigir algo, quem enviou pode fazer um novo pedido.",
    ],
  },
  declinedBefore: {
    heading: "Você recusou",
    text: ["O pedido terminou quando você recusou. Você não precisa fazer mais nada e pode fechar esta página."],
  },
  whatNow: "Como seguir",
  faults: {
    link: {
      heading: "Este link não abre o pedido",
      text: [
        "Talvez falte o final do endereço: alguns programas de e-mail o cortam, e às vezes ele se perde ao copiar. Ou quem enviou trocou o link.",
        "Podemos enviar o link de novo. Ele chega em poucos minutos ao e-mail que recebeu o convite, se ainda for a sua vez.",
      ],
    },
    other_tab: {
      heading: "O documento está aberto em outra aba",
      text: [
        "Este endereço sozinho não abre nada: a chave está no link do convite, que já está aberto neste navegador.",
      ],
    },
    replaced: {
      heading: "Há um link mais novo",
      text: [
        "Quem enviou o pedido trocou o link, e o que estava aberto neste navegador não vale mais.",
        "Abra o link do e-mail mais recente sobre este documento.",
      ],
    },
    locked: {
      heading: "Este link está bloqueado",
      text: [
        "Foram informados códigos ou respostas errados demais, e ninguém consegue continuar com este link. Nada foi assinado.",
        "Peça um lembrete a {sender}: ele traz um link novo, que funciona.",
      ],
    },
    unconfirmed: {
      heading: "Não foi possível confirmar a sua identidade",
      text: [
        "O provedor de identidade não reconheceu o nome e o número que {organization} informou como sendo da mesma pessoa. **Nada foi assinado**, e o documento continua fechado.",
      ],
      ways: [
        "**Pode ser só um erro de digitação.** Veja com {sender} como o seu nome e o seu número estão no pedido, letra por letra.",
        "**Peça a correção e um lembrete.** O lembrete traz um link novo, e a consulta é feita outra vez.",
        "**Mudou de nome?** O provedor pode ainda ter o nome antigo. Diga isso a quem enviou.",
      ],
    },
    not_yet: {
      heading: "Ainda não é a sua vez",
      text: [
        "No pedido feito por {organization}, outra pessoa vem antes de você.",
        "Pode fechar esta página. Quando chegar a sua vez, enviamos um e-mail para {sent_to}.",
      ],
    },
    expired: {
      heading: "O prazo terminou",
      text: [
        "O pedido feito por {organization} tinha um prazo, que já passou. Ninguém pode mais assinar.",
        "Se ainda for preciso assinar, fale com {sender}, que pode fazer um novo pedido.",
      ],
    },
    cancelled: {
      heading: "Quem enviou cancelou o pedido",
      text: [
        "{organization} não pede mais esta assinatura. Você não precisa fazer nada.",
        "Se quiser saber o motivo, pergunte a {sender}.",
      ],
    },
    declined: {
      heading: "Alguém recusou",
      text: [
        "Uma das pessoas recusou, e isso encerrou, para todas elas, o pedido de {organization}.",
        "Você não precisa fazer nada. Se houver um novo pedido, você recebe um novo e-mail.",
      ],
    },
    failed: {
      heading: "O documento assinado está sendo preparado",
      text: [
        "Tudo já foi assinado, mas ainda não foi possível montar o documento assinado. Quem opera este serviço já sabe.",
        "Você não precisa fazer nada. A cópia chega por e-mail.",
      ],
    },
    done: {
      heading: "Você já terminou",
      text: [
        "A sua parte no pedido feito por {organization} está registrada. Você não precisa fazer mais nada.",
        "A cópia vai para {sent_to} assim que o documento assinado estiver pronto.",
      ],
    },
    declined_by_you: {
      heading: "Você recusou",
      text: ["O pedido feito por {organization} terminou quando você recusou.", "Você não precisa fazer mais nada."],
    },
    copies_over: {
      heading: "Este link não mostra mais a cópia",
      text: [
        "O documento está assinado, e a cópia foi enviada por e-mail. O link a mostra por 90 dias.",
        "Se você não a tem mais, fale com {sender}, que guarda o documento assinado.",
      ],
    },
    browser: {
      heading: "Este navegador é antigo demais",
      text: [
        "Ele não consegue mostrar o documento com segurança. Nada foi assinado.",
        "Atualize-o ou abra o link do e-mail numa versão atual do Chrome, Edge, Firefox ou Safari.",
      ],
    },
    no_network: {
      heading: "Sem conexão",
      text: [
        "Este aparelho não alcança o serviço. Nada se perdeu.",
        "Confira a rede. Quando a conexão voltar, esta página continua sozinha.",
      ],
    },
    rate_limited: {
      heading: "Um momento, por favor",
      text: ["Esta rede fez muitas solicitações em pouco tempo. Nada se perdeu."],
    },
    unavailable: {
      heading: "O serviço não está respondendo como deveria",
      text: ["A falha é nossa, não sua. Nada foi assinado e nada se perdeu.", "Tente de novo em alguns minutos."],
    },
  },
  retry: "Tentar de novo",
  retryIn: "Tentar de novo (em {wait})",
  lookAgain: "Atualizar",
  otherTab: {
    look: "Procure a aba com este nome:",
    onPhone: "No celular, toque no ícone das abas, ao lado do endereço.",
    kept: "O que você já preencheu continua lá. Se você recebeu um código por e-mail, digite-o lá.",
    hint: "Não acha a aba? O mesmo link vai para o e-mail que recebeu o convite.",
  },
  newLink: {
    submit: "Receber o link por e-mail",
    hint: "Até 3 vezes por hora. Não chegou? Fale com quem enviou o pedido.",
    hintOfReplaced: "Não acha o e-mail? O link novo vai de novo para o mesmo endereço, até 3 vezes por hora.",
    heading: "Veja o seu e-mail",
    text: "Se for a sua vez, o link já está a caminho do e-mail que recebeu o convite. Pode fechar esta página.",
  },
  notices: {
    no_network: "Sem conexão. Nada se perdeu: tente de novo quando a rede voltar.",
    rate_limited: "Foi rápido demais. Tente de novo em {wait}.",
    codes_sent:
      "Para proteger o documento, enviamos no máximo 5 códigos por hora, e os 5 já foram para você. Outro código, só a partir das {time}. O seu link continua valendo. Tem pressa? Peça um link novo a {sender}: com ele, o código sai na mesma hora.",
    sms_sent:
      "Hoje já enviamos todas as mensagens que são possíveis em um dia. Outro código, só daqui a {wait}; um link novo não muda isso. O seu link continua valendo. Não chegou nenhuma? Veja com {sender} se o número do celular está certo.",
    unavailable: "Não deu certo, e a falha é nossa. Nada se perdeu: tente de novo.",
    session_expired:
      "Passou uma hora desde o último código. O que você digitou continua aqui: peça um novo código para seguir.",
    session_over: "Passou uma hora. O que você digitou continua aqui: toque em Continuar para seguir.",
    consent_changed: "Enquanto isso, o texto de concordância mudou. Leia de novo, por favor.",
    declining: "Depois do código você pode recusar.",
  },
  requestId: "Número da solicitação, para quem opera o serviço: {id}",
  phone: {
    open: "Assinar no celular",
    heading: "Continue no celular",
    text: "Aponte a câmera do celular para a imagem. O pedido abre no celular, que pede um novo código. Não mostre a imagem a ninguém: ela é o seu link.",
    label: "QR Code com o seu link",
    close: "Fechar",
  },
  reader,
};
