import { en as reader } from "./reader/words-en.ts";
import type { SignWords } from "./words.ts";

export const en: SignWords = {
  title: "Signature request · Selo",
  description: "Read a document that was sent to you, and sign it.",
  opening: "Opening the request.",
  sender: "the sender",
  noScript: {
    heading: "This page needs a newer browser, with JavaScript",
    text: "Open the link in a current version of Chrome, Edge, Firefox or Safari, with JavaScript switched on. If you have no such browser, ask the sender.",
  },
  testHeading: "TEST",
  testText: "Nothing here is legally binding. No credits are spent.",
  testTitle: "TEST",
  skip: "Skip to content",
  decline: "Decline",
  actions: "What to do now",
  steps: {
    request: "Request",
    code: "Code",
    factor: "Confirmation",
    read: "Read",
    fields: "Fill in",
    certificate: "Certificate",
    act: "Sign",
    copies: "Copy",
    delegate: "Pass on",
  },
  progress: "step {step} of {of}",
  request: {
    heading: {
      signatario: "{organization} asks for your signature",
      aprovador: "{organization} asks for your approval",
      testemunha: "{organization} asks you to be a witness",
      observador: "{organization} shows you a document",
    },
    headingOfCopies: "The document is signed: your copy is ready",
    document: "Document: {title}",
    messageBy: "Message written by {organization}",
    to: "For",
    notMe: "This is not me",
    notMeText: "Then please close this page without continuing. You can tell {sender}.",
    handOn: "Hand it to somebody else",
    handOnText: "Or is it somebody else who should sign? The sender allows you to pass it on.",
    handOnCode: "We ask for a code first, so that nobody else can pass it on in your name.",
    safe: "Opening this page signs nothing. You can read the whole document before you sign. Nobody asks for a password or a payment here.",
    safeWithCertificate:
      "Opening this page signs nothing. You can read the whole document before you sign. The password of your certificate stays on this device, and nobody asks for a payment here.",
    copiesText: "A code protects the documents here, too. It goes to the address of the invitation.",
    copiesTextOfSms: "A code protects the documents here, too. It comes by SMS.",
    getCode: "Get the code",
    goOn: "Continue",
    privacy: "Privacy",
    terms: "Terms",
    operatedBy: "Operated by",
  },
  code: {
    heading: "Type the code",
    goesTo: "The code goes to {sent_to}",
    sent: "We sent 6 digits to {sent_to} {time}. The code is also in the subject of the e-mail.",
    label: "Code of 6 digits",
    goodUntil: "Good until {time} ({zone}).",
    wrong: "Wrong code. {tries} tries are left.",
    wrongOne: "Wrong code. One try is left.",
    usedUp: "This code no longer works. Ask for another one below.",
    malformed: "The code has 6 digits, such as 481907.",
    notReceived: "I did not get the code",
    notReceivedText:
      "It can take a minute. Check your spam folder, too. If the address above is not yours, tell {sender}.",
    submit: "Continue",
    another: "Send another code",
    anotherIn: "Send another code (in {wait})",
    sms: {
      heading: "Type the code of the SMS",
      goesTo: "The code goes by SMS to the phone {sent_to}",
      sent: "We sent 6 digits to the phone {sent_to} {time}.",
      nobodyAsks: "Nobody from Selo asks for this code by telephone, e-mail or message.",
      notReceived: "I did not get the SMS",
      notReceivedText:
        "It can take a minute. Check that the phone has a signal. If the number above is not yours, tell {sender}.",
      another: "Send another SMS",
      anotherIn: "Send another SMS (in {wait})",
    },
  },
  read: {
    heading: "Read the document",
    several: "Read the {count} documents",
    toTheEnd: "Go to the last page, then continue.",
    done: "I have read it",
    notYet: "Please go to the last page first.",
    onlyRead: "This document is for your information. You need not do anything else, and can close this page.",
    fieldsFollow: "Next, you fill in {count} fields.",
    fieldsFollowOne: "Next, you fill in one field.",
  },
  fields: {
    heading: "Fill in the fields",
    refused: "This value was not accepted. Please check it.",
    tooLong: "This text does not fit into its place in the document. Please use at most {most} characters.",
    notCalculated: "This cannot be calculated. Check whether one of its numbers is empty, is zero or is too large.",
  },
  act: {
    heading: {
      signatario: "Sign the document",
      aprovador: "Approve the document",
      testemunha: "Confirm as a witness",
      observador: "Read the document",
    },
    agreement: "1. Your agreement",
    readAll: "Read all of it",
    showLess: "Show less",
    agree: "I have read this text and agree.",
    version: "Text {version}",
    disagree: "Tick the box to agree. You cannot continue without it.",
    signature: "2. Your signature",
    noSignature: "Draw or type your signature.",
    recorded:
      "We record the fingerprint (SHA-256) of each file, the text of your agreement, your signature, the date and the time.",
    submit: {
      signatario: "Sign",
      aprovador: "Approve",
      testemunha: "Confirm as a witness",
      observador: "Continue",
    },
    busy: "One moment…",
    signatureRefused: "This signature was not accepted. Please draw it again, or type it.",
  },
  done: {
    heading: {
      signatario: "You have signed the document",
      aprovador: "You have approved the document",
      testemunha: "You have confirmed as a witness",
      observador: "You have read the document",
    },
    sentence: {
      signatario: "You signed {title} {when}.",
      aprovador: "You approved {title} {when}.",
      testemunha: "You confirmed {title} as a witness {when}.",
      observador: "You read {title} {when}.",
    },
    sentenceWithoutTitle: "Your part was recorded {when}.",
    copyHeading: "Your copy comes by e-mail.",
    copyText:
      "When everybody has signed, we send the signed document to {sent_to}. The link in that e-mail shows the copy for 90 days.",
    copyTextOfOne:
      "In a few minutes we send the signed document to {sent_to}. The link in that e-mail shows the copy for 90 days.",
    recorded: "What was recorded",
    how: "How we know that it was you",
    howText: "A code that was sent to {sent_to}, typed {when}",
    howTextOfSms: "A code that was sent by SMS to the phone {sent_to}, typed {when}",
    agreement: "Text of your agreement",
    code: "Verification code",
    documents: "Documents",
    fingerprint: "Fingerprint (SHA-256):",
    download: "Download {file}",
    downloadOne: "Download what I signed",
    downloadFailed: "The file could not be downloaded. Try again, or wait for the copy by e-mail.",
    forgotten: "This browser keeps nothing of the request. You can close this page.",
    verify: "How to verify the signed document",
  },
  copies: {
    heading: "Your copy",
    text: "{title}, requested by {organization}, is signed. Keep the files: with them anyone can verify the signatures, even without this service.",
    report: "Download the evidence report",
    reportFile: "evidence-report.pdf",
    verify: "Verify this document",
  },
  declining: {
    heading: "Decline to sign?",
    text: "The request ends for everybody. {organization} gets the reason that you write.",
    textOfOne: "The request ends. {organization} gets the reason that you write.",
    label: "Why are you declining?",
    missing: "Write a reason, so that the sender knows what to change.",
    hint: "Does something only need a correction? Ask {sender} first: then the request stays open.",
    signInFirst: "We ask for a code first, so that nobody else can decline in your name.",
    cancel: "Back to the document",
    submit: "Decline to sign",
    getCode: "Get the code",
  },
  declined: {
    heading: "You have declined",
    text: [
      "The request has ended for everybody, and {organization} gets your reason by e-mail.",
      "You need not do anything else, and can close this page. If something is only to be corrected, the sender can make a new request.",
    ],
  },
  declinedOfOne: {
    heading: "You have declined",
    text: [
      "The request has ended, and {organization} gets your reason by e-mail.",
      "You need not do anything else, and can close this page. If something is only to be corrected, the sender can make a new request.",
    ],
  },
  declinedBefore: {
    heading: "You have declined",
    text: ["The request ended when you declined. You need not do anything else, and can close this page."],
  },
  whatNow: "What you can do",
  faults: {
    link: {
      heading: "This link does not open the request",
      text: [
        "Its secret end may be missing: some e-mail programs cut it off, and copying may lose it. Or the sender has replaced the link.",
        "We can mail the link again. It comes within a few minutes to the address of the invitation, if the document is still waiting for you.",
      ],
    },
    other_tab: {
      heading: "The document is open in another tab",
      text: [
        "This address alone opens nothing: the key is in the link of the invitation, which is already open in this browser.",
      ],
    },
    replaced: {
      heading: "There is a newer link",
      text: [
        "The sender has replaced the link, and the one that was open in this browser no longer works.",
        "Open the link of the latest e-mail about this document.",
      ],
    },
    locked: {
      heading: "This link is locked",
      text: [
        "Too many wrong codes or answers were given, so nobody can go on with this link. Nothing was signed.",
        "Ask {sender} for a reminder: it brings a new link, which works.",
      ],
    },
    unconfirmed: {
      heading: "Your identity could not be confirmed",
      text: [
        "The identity provider does not know the name and the number that {organization} gave as those of one person. **Nothing was signed**, and the document stays closed.",
      ],
      ways: [
        "**It may only be mistyped.** Ask {sender} how your name and your number are written in the request, letter by letter.",
        "**Ask for a correction and a reminder.** The reminder brings a new link, and the provider is asked once more.",
        "**Has your name changed?** The provider may still have the old one. Tell the sender.",
      ],
    },
    not_yet: {
      heading: "It is not your turn yet",
      text: [
        "In the request of {organization}, somebody else acts before you.",
        "You can close this page. When it is your turn, an e-mail goes to {sent_to}.",
      ],
    },
    expired: {
      heading: "The deadline has passed",
      text: [
        "The request of {organization} had a deadline, which has passed. Nobody can sign any more.",
        "If the document is still needed, ask {sender} for a new request.",
      ],
    },
    cancelled: {
      heading: "The sender has cancelled the request",
      text: [
        "{organization} no longer asks for this signature. You need not do anything.",
        "To find out why, ask {sender}.",
      ],
    },
    declined: {
      heading: "Somebody has declined",
      text: [
        "One of the people who were asked has declined, which ended the request of {organization} for everybody.",
        "You need not do anything. If there is a new request, you will get a new e-mail.",
      ],
    },
    failed: {
      heading: "The signed document is being prepared",
      text: [
        "All signatures are recorded, but the signed document could not be made yet. The operator of this service knows about it.",
        "You need not do anything. The copy comes by e-mail.",
      ],
    },
    done: {
      heading: "You have already finished",
      text: [
        "Your part in the request of {organization} is recorded. You need not do anything else.",
        "The copy goes to {sent_to} as soon as the signed document is ready.",
      ],
    },
    declined_by_you: {
      heading: "You have declined",
      text: ["The request of {organization} ended when you declined.", "You need not do anything else."],
    },
    copies_over: {
      heading: "This link no longer shows the copy",
      text: [
        "The document is signed, and the copy was sent by e-mail. The link shows it for 90 days.",
        "If you no longer have it, ask {sender}, who keeps the signed document.",
      ],
    },
    browser: {
      heading: "This browser is too old",
      text: [
        "It cannot show the document safely. Nothing was signed.",
        "Update it, or open the link of the e-mail in a current version of Chrome, Edge, Firefox or Safari.",
      ],
    },
    no_network: {
      heading: "No connection",
      text: [
        "This device cannot reach the service. Nothing is lost.",
        "Check the network. This page continues by itself when the connection is back.",
      ],
    },
    rate_limited: {
      heading: "One moment, please",
      text: ["Many requests came from this network within a short time. Nothing is lost."],
    },
    unavailable: {
      heading: "The service is not responding as it should",
      text: [
        "The fault is ours, not yours. Nothing was signed, and nothing is lost.",
        "Please try again in a few minutes.",
      ],
    },
  },
  retry: "Try again",
  retryIn: "Try again (in {wait})",
  lookAgain: "Check again whether it is my turn",
  otherTab: {
    look: "Look for the tab with this name:",
    onPhone: "On a phone, tap the tabs icon beside the address.",
    kept: "What you typed is still there. If a code came by e-mail, type it there.",
    hint: "You cannot find the tab? The same link goes to the address of the invitation.",
  },
  newLink: {
    submit: "Mail me the link",
    hint: "Up to 3 times an hour. Nothing came? Ask the sender.",
    hintOfReplaced: "You cannot find the e-mail? The new link goes to the same address again, up to 3 times an hour.",
    heading: "Check your e-mail",
    text: "If the document is waiting for you, the link is on its way to the address of the invitation. You can close this page.",
  },
  notices: {
    no_network: "No connection. Nothing is lost: try again when the network is back.",
    rate_limited: "That was too fast. Try again in {wait}.",
    codes_sent:
      "To protect the document, we send at most 5 codes an hour, and you have received all 5. You can get the next one from {time} on. Your link still works. Are you in a hurry? Ask {sender} for a new link: with it, you can get a code at once.",
    sms_sent:
      "We have sent all the text messages that one day allows. You can get the next code in {wait}; a new link does not change that. Your link still works. Did none arrive? Ask {sender} whether the telephone number is right.",
    unavailable: "That did not work, and the fault is ours. Nothing is lost: please try again.",
    session_expired:
      "An hour has passed since the last code. What you typed is still there: get a new code to continue.",
    session_over: "An hour has passed. What you typed is still here: touch Continue to go on.",
    consent_changed: "The text of the agreement has changed in the meantime. Please read it again.",
    declining: "After the code you can decline.",
  },
  requestId: "Request number, for the operator: {id}",
  phone: {
    open: "Sign on your phone",
    heading: "Continue on your phone",
    text: "Point the camera of your phone at the picture. The phone then opens this request and asks for a new code. Show the picture to nobody: it is your link.",
    label: "QR code with your link",
    close: "Close",
  },
  reader,
};
