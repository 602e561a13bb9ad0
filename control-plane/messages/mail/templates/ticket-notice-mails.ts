import type { Locale } from '#contracts/locale.ts'
import type { MailWords } from './mail-words.ts'

type Bodies = Pick<MailWords['bodies'], 'ticket.added' | 'ticket.closed' | 'ticket.assigned' | 'ticket.opened'>

type Words = {
  readonly added: (title: string) => string
  readonly addedBy: (person: string) => string
  readonly mayWrite: string
  readonly closed: (title: string) => string
  readonly closedBy: (person: string) => string
  readonly takesNone: string
  readonly rate: string
  readonly reopen: string
  readonly assigned: (title: string) => string
  readonly assignedBy: (person: string) => string
  readonly isYours: string
  readonly opened: (title: string) => string
  readonly openedBy: (person: string) => string
  readonly several: (count: number) => string
  readonly sinceThen: string
  readonly open: string
  readonly queue: string
  readonly chosen: string
}

const WORDS: Readonly<Record<Locale, Words>> = {
  en: {
    added: (title) => `You were added to a ticket: ${title}`,
    addedBy: (person) => `${person} added you to a ticket`,
    mayWrite: 'You can read the whole ticket and write in it. Everyone in the ticket sees what you write.',
    closed: (title) => `Ticket closed: ${title}`,
    closedBy: (person) => `${person} closed a ticket`,
    takesNone: 'A closed ticket takes no new messages.',
    rate: 'Did we help you? On the page of the ticket you can rate it with one click.',
    reopen: 'If something is still open, reopen the ticket within 30 days, or write a new one.',
    assigned: (title) => `Ticket assigned to you: ${title}`,
    assignedBy: (person) => `${person} assigned a ticket to you`,
    isYours: 'You answer the customer from now on.',
    opened: (title) => `New ticket: ${title}`,
    openedBy: (person) => `${person} opened a ticket`,
    several: (count) => `${count} new tickets`,
    sinceThen: 'You get no further e-mail about new tickets until you have looked at your notifications.',
    open: 'Open ticket',
    queue: 'Open the tickets',
    chosen: 'Choose which of these e-mails you get in your account settings.',
  },
  hu: {
    added: (title) => `Hozzáadtak egy hibajegyhez: ${title}`,
    addedBy: (person) => `${person} hozzáadott egy hibajegyhez`,
    mayWrite:
      'Az egész hibajegyet elolvashatod, és írhatsz is bele. Amit írsz, azt a hibajegy minden résztvevője látja.',
    closed: (title) => `Lezárt hibajegy: ${title}`,
    closedBy: (person) => `${person} lezárt egy hibajegyet`,
    takesNone: 'A lezárt hibajegy nem fogad új üzenetet.',
    rate: 'Segítettünk? A hibajegy oldalán egyetlen kattintással értékelheted.',
    reopen: 'Ha maradt még megoldatlan kérdés, 30 napon belül újranyithatod a hibajegyet, vagy nyithatsz egy újat.',
    assigned: (title) => `Rád bízott hibajegy: ${title}`,
    assignedBy: (person) => `${person} rád bízott egy hibajegyet`,
    isYours: 'Mostantól te válaszolsz az ügyfélnek.',
    opened: (title) => `Új hibajegy: ${title}`,
    openedBy: (person) => `${person} új hibajegyet nyitott`,
    several: (count) => `${count} új hibajegy érkezett`,
    sinceThen: 'Az új hibajegyekről addig nem küldünk több levelet, amíg meg nem nézed az értesítéseidet.',
    open: 'A hibajegy megnyitása',
    queue: 'A hibajegyek megnyitása',
    chosen: 'A fiókod beállításaiban te döntöd el, melyik ilyen levelet kéred.',
  },
  de: {
    added: (title) => `Du wurdest zu einem Ticket hinzugefügt: ${title}`,
    addedBy: (person) => `${person} hat dich zu einem Ticket hinzugefügt`,
    mayWrite: 'Du kannst das ganze Ticket lesen und darin schreiben. Alle im Ticket sehen, was du schreibst.',
    closed: (title) => `Ticket geschlossen: ${title}`,
    closedBy: (person) => `${person} hat ein Ticket geschlossen`,
    takesNone: 'Ein geschlossenes Ticket nimmt keine neuen Nachrichten an.',
    rate: 'Haben wir dir geholfen? Auf der Seite des Tickets kannst du es mit einem Klick bewerten.',
    reopen: 'Wenn noch etwas offen ist, öffne das Ticket innerhalb von 30 Tagen wieder, oder schreibe ein neues.',
    assigned: (title) => `Dir zugewiesenes Ticket: ${title}`,
    assignedBy: (person) => `${person} hat dir ein Ticket zugewiesen`,
    isYours: 'Ab jetzt antwortest du dem Kunden.',
    opened: (title) => `Neues Ticket: ${title}`,
    openedBy: (person) => `${person} hat ein Ticket eröffnet`,
    several: (count) => `${count} neue Tickets`,
    sinceThen: 'Zu neuen Tickets bekommst du keine weitere E-Mail, bis du deine Benachrichtigungen angesehen hast.',
    open: 'Ticket öffnen',
    queue: 'Tickets öffnen',
    chosen: 'In den Einstellungen deines Kontos wählst du, welche dieser E-Mails du bekommst.',
  },
}

/** The mails about what happens to a ticket besides a reply, in one language. None has anything that was written in it. */
export const ticketNoticeMails = (language: Locale): Bodies => {
  const words = WORDS[language]
  return {
    'ticket.added': ({ title, person, path }) => ({
      subject: words.added(title),
      title: words.addedBy(person),
      before: [title, words.mayWrite],
      action: { label: words.open, path },
      after: [words.chosen],
    }),
    'ticket.closed': ({ title, person, rates, reopens, path }) => ({
      subject: words.closed(title),
      title: words.closedBy(person),
      before: [title, words.takesNone, ...(rates ? [words.rate] : [])],
      action: { label: words.open, path },
      after: [...(reopens ? [words.reopen] : []), words.chosen],
    }),
    'ticket.assigned': ({ title, person, path }) => ({
      subject: words.assigned(title),
      title: words.assignedBy(person),
      before: [title, words.isYours],
      action: { label: words.open, path },
      after: [words.chosen],
    }),
    'ticket.opened': ({ title, person, count, path }) => ({
      subject: count === undefined ? words.opened(title) : words.several(count),
      title: count === undefined ? words.openedBy(person) : words.several(count),
      before: count === undefined ? [title] : [],
      action: { label: count === undefined ? words.open : words.queue, path },
      after: [words.sinceThen, words.chosen],
    }),
  }
}
