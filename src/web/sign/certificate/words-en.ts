import type { CertificateWords } from "./words.ts";

export const en: CertificateWords = {
  open: {
    heading: "Open your certificate",
    asks: "{organization} asks for a signature with an ICP-Brasil certificate (e-CPF or e-CNPJ).",
    file: "File of the certificate",
    hint: "Its name ends in .p12 or .pfx. It is often in the downloads folder.",
    choose: "Choose the file",
    change: "Change",
    size: "{size} KB",
    noFile: "Choose the file of your certificate.",
    password: "Password of the file",
    noPassword: "Type the password of the file.",
    show: "Show the password",
    stays: "What stays here",
    staysText: "The file, the password and the key. They are used on this device and dropped at once.",
    sent: "What is sent",
    sentText: "The public certificate (name, CPF, issuer, validity) and the finished signature.",
    token: "I use an A3 (USB or card)",
    tokenText: "Browsers cannot read an A3. {guide} how to sign on a computer, with two commands.",
    guide: "The guide shows",
    submit: "Open the certificate",
    notSigning: "Opening is not signing yet.",
  },
  opening: {
    heading: "Opening your certificate",
    patience: "Old files may take up to 30 seconds on this device.",
    progress: "Progress",
    reading: "Opening the file on this device",
    read: "Password accepted, file opened on this device",
    judging: "Checking validity and issuer of the certificate",
    preparing: "Preparing the document for your signature",
    cancel: "Cancel",
  },
  sign: {
    heading: "Sign with this certificate",
    agreement: "1. Your agreement",
    certificate: "2. Your certificate",
    cpf: "CPF {cpf}",
    issuer: "Issued by",
    until: "Valid until",
    change: "Change",
    drawn: "The document shows your name, “ICP-Brasil” and the verification code.",
    submit: "Sign with the certificate",
    busy: "Signing…",
    again:
      "Someone else signed in the meantime, and the document has changed. The page prepares and signs it again, with the same certificate. You need not do anything.",
  },
  done: {
    heading: "You have signed with your certificate",
    sentence: "You signed {title} {when}.",
    dropped: "The file, the password and the key have been dropped. Nothing of them left this device.",
    how: "ICP-Brasil certificate of {name}, CPF {cpf}, issued by {issuer}",
    state: "State of the certificate when it signed",
    notRevoked: "Not revoked, as its issuer says",
    howWithoutCpf: "ICP-Brasil certificate of {name}, issued by {issuer}",
  },
  faults: {
    chain: {
      sentence: "This certificate is not of ICP-Brasil.",
      remedy:
        "Use an e-CPF or e-CNPJ that an authority of ICP-Brasil issued. Certificates of websites, or made by a company, will not do.",
    },
    expired: {
      sentence: "This certificate expired on {date}.",
      remedy: "Choose one that is valid, or renew yours with its issuer.",
    },
    not_yet: {
      sentence: "This certificate is only valid from {date}.",
      remedy: "Choose one that is valid already, or come back on that day.",
    },
    usage: {
      sentence: "This certificate was not issued for signing.",
      remedy: "It may be one for encryption, or that of a website. Choose the one for signing.",
    },
    key: {
      sentence: "The key of this certificate will not do for signing today.",
      remedy: "It must be RSA with 2048 bits or more, or ECDSA P-256 or P-384. Ask its issuer for another one.",
    },
    cpf: {
      sentence: "This certificate is of another CPF: {cpf}.",
      remedy: "The request expects that of {name}. Choose your own certificate.",
    },
    revoked: {
      sentence: "This certificate was revoked.",
      remedy: "It cannot sign any more. Ask its issuer for another one.",
    },
    revocation_unknown: {
      sentence: "The issuer of the certificate did not say whether it is still good.",
      remedy: "This is neither your fault nor that of the certificate. Try again in some minutes.",
    },
    password: {
      sentence: "Wrong password for this file.",
      remedy: "Try again as often as you need to: nothing is sent.",
    },
    no_key: {
      sentence: "{file} has no key, only the public certificate.",
      remedy: "Choose the .p12 or .pfx file, the one with a password.",
    },
    damaged: {
      sentence: "{file} is damaged, or is not the file of a certificate.",
      remedy: "Choose the .p12 or .pfx file, the one with a password.",
    },
    unsupported: {
      sentence: "{file} is protected in a way that this page does not know.",
      remedy: "Export the certificate again, with its key and the usual settings.",
    },
    time: {
      sentence: "This file takes too long to open on this device.",
      remedy: "Try a computer, or export the certificate again with the usual settings.",
    },
    thread: {
      sentence: "What opens the file could not be loaded.",
      remedy: "Check the network and try again. Nothing was sent.",
    },
  },
  wrongCpf: "If this is the right one and the CPF in the request is wrong, reply to the invitation.",
  revokedAt: "This certificate was revoked on {date}.",
  insecure: {
    sentence: "It is not safe to type the password of a certificate here.",
    remedy: "This page was opened without https. Open the link of the invitation as it came, beginning with https.",
  },
};
