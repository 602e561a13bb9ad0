import type { Locale } from '#contracts/locale.ts'
import { CUT_MARK } from '#domain/mail/reply-text.ts'
import type { AnsweredMail } from '#domain/tickets/mail-decision.ts'
import type { MailWords } from './mail-words.ts'

type TicketBodies = Pick<MailWords['bodies'], 'ticket.reply' | 'mail-answer'>

type Words = {
  readonly subject: (host: string) => string
  readonly notAdded: string
  readonly why: Readonly<Record<AnsweredMail, string>>
  readonly open: string
  /** A new ticket; for whoever opened the old one it links to that. */
  readonly write: string
  readonly continue: string
  readonly onceADay: string
  readonly replied: (person: string) => string
  /** The reader was added to another person's ticket. */
  readonly repliedThere: (person: string) => string
  readonly earlier: (count: number) => string
  readonly files: (names: string) => string
  readonly read: string
  readonly cut: string
  readonly byMail: string
  readonly inTicket: string
  readonly closed: string
  readonly closedForAdded: string
  readonly rate: string
  readonly chosen: string
  readonly foot: (host: string) => string
  readonly footForAdded: (host: string) => string
}

const WORDS: Readonly<Record<Locale, Words>> = {
  en: {
    subject: (host) => `${host} could not add your e-mail to a ticket`,
    notAdded: 'Your e-mail was not added to a ticket',
    why: {
      unmatched:
        'Your e-mail belongs to no ticket of yours. Write a new ticket after signing in, or reply to our latest e-mail about a ticket from the address of your account.',
      closed: 'This ticket is closed, so it takes no new messages. Reopen it, or write a new one.',
      'closed-long':
        'This ticket has been closed for more than 30 days, so it takes no new messages and can no longer be reopened. Open a new ticket that links to this one.',
      'closed-for-added': 'This ticket is closed, so it takes no new messages. Open a new one if you still need help.',
      'switched-off': 'Tickets are switched off right now. Your e-mail was not kept, so send it again later.',
      'too-large': 'Your e-mail is larger than 25 MB. Send it again with smaller files, or add them in the ticket.',
    },
    open: 'Open tickets',
    write: 'Open a new ticket',
    continue: 'Open a new ticket about this one',
    onceADay: 'We send this answer at most once a day.',
    replied: (person) => `${person} replied to your ticket`,
    repliedThere: (person) => `${person} replied to a ticket that you were added to`,
    earlier: (count) =>
      count === 1
        ? 'The ticket has 1 earlier reply that you have not read.'
        : `The ticket has ${count} earlier replies that you have not read.`,
    files: (names) => `Files in the ticket: ${names}`,
    read: 'Open ticket',
    cut: `${CUT_MARK} Write your reply above this line ${[...CUT_MARK].reverse().join('')}`,
    byMail: 'You can reply to this e-mail. Your reply is added to the ticket.',
    inTicket: 'You can answer in the ticket.',
    closed: 'The ticket is closed. You can reopen it on its page.',
    closedForAdded:
      'The ticket is closed. Its owner can reopen it. If you still need help, you can open a ticket of your own.',
    rate: 'Did we help you? On the page of the ticket you can rate it with one click.',
    chosen: 'Choose which of these e-mails you get in your account settings.',
    foot: (host) =>
      `${host} sent this e-mail because your ticket has a reply. It is for you alone, so don't forward it.`,
    footForAdded: (host) =>
      `${host} sent this e-mail because a ticket that you were added to has a reply. It is for you alone, so don't forward it.`,
  },
  hu: {
    subject: (host) => `A leveledet nem tudtuk hibajegyhez adni (${host})`,
    notAdded: 'A leveled nem került hibajegybe',
    why: {
      unmatched:
        'A leveled egyik hibajegyedhez sem tartozik. Bejelentkezés után nyithatsz új hibajegyet, vagy válaszolj a hibajegyről kapott legutóbbi levelünkre a fiókod e-mail-címéről.',
      closed: 'Ezt a hibajegyet lezárták, ezért nem fogad új üzenetet. Nyisd meg újra, vagy indíts egy újat.',
      'closed-long':
        'Ezt a hibajegyet több mint 30 napja lezárták, ezért nem fogad új üzenetet, és már nem nyitható újra. Nyiss egy új hibajegyet, amely hivatkozik erre.',
      'closed-for-added':
        'Ezt a hibajegyet lezárták, ezért nem fogad új üzenetet. Nyiss egy újat, ha még segítségre van szükséged.',
      'switched-off': 'A hibajegyek most ki vannak kapcsolva. A leveledet nem őriztük meg, ezért küldd el később újra.',
      'too-large': 'A leveled nagyobb 25 MB-nál. Küldd el újra kisebb fájlokkal, vagy csatold őket a hibajegyben.',
    },
    open: 'A hibajegyek megnyitása',
    write: 'Új hibajegy nyitása',
    continue: 'Folytatás új hibajegyben',
    onceADay: 'Ezt a választ naponta legfeljebb egyszer küldjük el.',
    replied: (person) => `${person} válaszolt a hibajegyedre`,
    repliedThere: (person) => `${person} válaszolt egy hibajegyben, amelyhez hozzáadtak`,
    earlier: (count) => `A hibajegyben ${count} korábbi olvasatlan válasz is vár.`,
    files: (names) => `Fájlok a hibajegyben: ${names}`,
    read: 'A hibajegy megnyitása',
    cut: `${CUT_MARK} A válaszodat e fölé a sor fölé írd ${[...CUT_MARK].reverse().join('')}`,
    byMail: 'Erre a levélre válaszolhatsz. A válaszod bekerül a hibajegybe.',
    inTicket: 'A hibajegyben válaszolhatsz.',
    closed: 'A hibajegy le van zárva. Az oldalán újranyithatod.',
    closedForAdded:
      'A hibajegy le van zárva. A tulajdonosa tudja újranyitni. Ha még segítségre van szükséged, nyithatsz egy saját hibajegyet.',
    rate: 'Segítettünk? A hibajegy oldalán egyetlen kattintással értékelheted.',
    chosen: 'A fiókod beállításaiban te döntöd el, melyik ilyen levelet kéred.',
    foot: (host) =>
      `A levelet azért küldte a ${host}, mert válasz érkezett a hibajegyedre. Csak neked szól, ezért ne továbbítsd.`,
    footForAdded: (host) =>
      `A levelet azért küldte a ${host}, mert válasz érkezett egy hibajegyre, amelyhez hozzáadtak. Csak neked szól, ezért ne továbbítsd.`,
  },
  de: {
    subject: (host) => `${host} konnte deine E-Mail keinem Ticket hinzufügen`,
    notAdded: 'Deine E-Mail wurde keinem Ticket hinzugefügt',
    why: {
      unmatched:
        'Deine E-Mail gehört zu keinem deiner Tickets. Melde dich an und schreibe ein neues Ticket, oder antworte von der Adresse deines Kontos auf unsere letzte E-Mail zu einem Ticket.',
      closed:
        'Dieses Ticket ist geschlossen und nimmt keine neuen Nachrichten an. Öffne es wieder, oder schreibe ein neues.',
      'closed-long':
        'Dieses Ticket ist seit mehr als 30 Tagen geschlossen. Es nimmt keine neuen Nachrichten an und lässt sich nicht wieder öffnen. Schreibe ein neues Ticket, das auf dieses verweist.',
      'closed-for-added':
        'Dieses Ticket ist geschlossen und nimmt keine neuen Nachrichten an. Schreibe ein neues, wenn du noch Hilfe brauchst.',
      'switched-off':
        'Tickets sind im Moment ausgeschaltet. Wir haben deine E-Mail nicht behalten, bitte sende sie später noch einmal.',
      'too-large':
        'Deine E-Mail ist größer als 25 MB. Sende sie noch einmal mit kleineren Dateien, oder füge sie im Ticket hinzu.',
    },
    open: 'Tickets öffnen',
    write: 'Neues Ticket schreiben',
    continue: 'Neues Ticket dazu schreiben',
    onceADay: 'Wir senden diese Antwort höchstens einmal am Tag.',
    replied: (person) => `${person} hat auf dein Ticket geantwortet`,
    repliedThere: (person) => `${person} hat in einem Ticket geantwortet, zu dem du hinzugefügt wurdest`,
    earlier: (count) =>
      count === 1
        ? 'Im Ticket steht 1 frühere ungelesene Antwort.'
        : `Im Ticket stehen ${count} frühere ungelesene Antworten.`,
    files: (names) => `Dateien im Ticket: ${names}`,
    read: 'Ticket öffnen',
    cut: `${CUT_MARK} Schreibe deine Antwort über diese Zeile ${[...CUT_MARK].reverse().join('')}`,
    byMail: 'Du kannst auf diese E-Mail antworten. Deine Antwort kommt in das Ticket.',
    inTicket: 'Du kannst im Ticket antworten.',
    closed: 'Das Ticket ist geschlossen. Auf seiner Seite kannst du es wieder öffnen.',
    closedForAdded:
      'Das Ticket ist geschlossen. Wer es geöffnet hat, kann es wieder öffnen. Wenn du noch Hilfe brauchst, kannst du ein eigenes Ticket schreiben.',
    rate: 'Haben wir dir geholfen? Auf der Seite des Tickets kannst du es mit einem Klick bewerten.',
    chosen: 'In den Einstellungen deines Kontos wählst du, welche dieser E-Mails du bekommst.',
    foot: (host) =>
      `${host} hat diese E-Mail gesendet, weil dein Ticket eine Antwort hat. Sie ist nur für dich, leite sie also nicht weiter.`,
    footForAdded: (host) =>
      `${host} hat diese E-Mail gesendet, weil ein Ticket, zu dem du hinzugefügt wurdest, eine Antwort hat. Sie ist nur für dich, leite sie also nicht weiter.`,
  },
}

const MEGABYTE = 1_024 * 1_024

const sizeOf = (bytes: number, language: Locale): string => {
  const [value, unit] = bytes < MEGABYTE ? [Math.ceil(bytes / 1_024), 'kilobyte'] : [bytes / MEGABYTE, 'megabyte']
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 }).format(value)
}

const named = (files: readonly { readonly name: string; readonly size: number }[], language: Locale): string =>
  files.map(({ name, size }) => `${name} (${sizeOf(size, language)})`).join(', ')

const answerAction = (words: Words, why: AnsweredMail): string => {
  if (why === 'closed-long') return words.continue
  return why === 'closed-for-added' ? words.write : words.open
}

type Reading = {
  readonly isClosed: true | undefined
  readonly isAdded: true | undefined
  readonly takesReplies: boolean | undefined
}

/** The next steps of a reply's reader. */
const wayOn = (words: Words, { isClosed, isAdded, takesReplies }: Reading): string => {
  if (isClosed) return isAdded ? words.closedForAdded : words.closed
  return takesReplies ? words.byMail : words.inTicket
}

/** The mails about tickets in one language. The subject of all replies of a ticket is the same, so that mail programs put them together. */
export const ticketMails = (language: Locale): TicketBodies => {
  const words = WORDS[language]
  return {
    'ticket.reply': (
      { title, person, replies, earlier, thread, path, isClosed, rates, isAdded },
      { hostName, takesReplies },
    ) => ({
      subject: thread ? `${title} [#${thread.identifier}]` : title,
      title: (isAdded ? words.repliedThere : words.replied)(person),
      before: earlier === undefined ? [title] : [title, words.earlier(earlier)],
      letters: replies.map(({ person: from, text, files }) => ({
        from,
        text,
        ...(files ? { files: words.files(named(files, language)) } : {}),
      })),
      action: { label: words.read, path },
      after: [wayOn(words, { isClosed, isAdded, takesReplies }), ...(rates ? [words.rate] : []), words.chosen],
      ...(takesReplies && !isClosed
        ? { cut: words.cut, foot: (isAdded ? words.footForAdded : words.foot)(hostName) }
        : {}),
    }),
    'mail-answer': ({ why, path }, { hostName }) => ({
      subject: words.subject(hostName),
      title: words.notAdded,
      before: [words.why[why]],
      action: { label: answerAction(words, why), path },
      after: why === 'unmatched' ? [words.onceADay] : [],
    }),
  }
}
