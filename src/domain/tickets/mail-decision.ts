/** The bounds of mails to tickets (clarifications part 6): bytes, mails in an hour and answers in a day. */
export const MAIL_BOUNDS = {
  bytes: 25 * 1_024 * 1_024,
  perSenderAndHour: 30,
  /** The same text to one ticket within an hour: a loop ends with it. */
  sameText: 3,
  /** Answers in a day to everybody whose mail belongs to no ticket: senders can be forged, and nobody shall be flooded through us. */
  answersPerDay: 200,
  /** Answers in a day to one person who wrote to a signed address. */
  answersPerPerson: 20,
} as const

/**
 * For how long it is known which mails were handled, in milliseconds. It outlives every mail that is still looked at, so that none is
 * taken twice.
 */
export const RECEIVED_LIFE_MS = 60 * 86_400_000
/** A mail that waited for longer than this is not looked at, in milliseconds. */
export const OLDEST_MAIL_MS = 30 * 86_400_000

/** After so many times, over eight hours, somebody is told to look at a mail that the mailbox does not give. */
export const MOST_MISSED = 10

/** After how long a mail that the mailbox did not give `missed` times is asked for again, in milliseconds: later each time, and once a day in the end. */
export const askAgainAfterMs = (missed: number): number =>
  missed < MOST_MISSED ? 60_000 * 2 ** (missed - 1) : 86_400_000

/** Why a mail becomes no message and is not answered. */
export const DROPPED_MAILS = [
  'unreadable',
  'no-sender',
  'own',
  'automatic',
  'too-many',
  'loop',
  'spam',
  'unmatched',
  'repeated',
  'too-old',
] as const
export type DroppedMail = (typeof DROPPED_MAILS)[number]

/** Why a mail becomes no message, as its sender is told. */
export const ANSWERED_MAILS = [
  'unmatched',
  'closed',
  /** For more than 30 days: a new one links to it. */
  'closed-long',
  /** To somebody who did not open the ticket: they can neither reopen nor continue it. */
  'closed-for-added',
  'switched-off',
  'too-large',
] as const
export type AnsweredMail = (typeof ANSWERED_MAILS)[number]

/** The answer to a mail whose ticket refuses the message with `code`. */
export const answerTo = (code: string, { isOpener }: { isOpener: boolean }): AnsweredMail => {
  if (code === 'TICKETS_DISABLED') return 'switched-off'
  if (code !== 'TICKET_CLOSED' && code !== 'TICKET_TOO_OLD') return 'unmatched'
  if (!isOpener) return 'closed-for-added'
  return code === 'TICKET_CLOSED' ? 'closed' : 'closed-long'
}

/** The page on which that answer is acted upon. `ticketId` is that of the ticket; null for a stranger. */
export const pageOfAnswer = (why: AnsweredMail, ticketId: string | null): string => {
  if (ticketId === null) return '/dashboard/tickets'
  if (why === 'closed-long') return `/dashboard/ticket?follows=${ticketId}`
  return why === 'closed-for-added' ? '/dashboard/ticket' : `/dashboard/ticket/${ticketId}`
}

/** The facts of a received mail. */
export type MailFacts = {
  /** A report about a mail of ours, to the signed address that only it had; `isFinal` if the address is of no use. */
  readonly report: { readonly isFinal: boolean } | null
  readonly isReadable: boolean
  /** The one address in From; null for none or several. */
  readonly sender: string | null
  /** It is from an address of ours. */
  readonly isOwn: boolean
  readonly isAutomatic: boolean
  /** The operator's filter says so. */
  readonly isSpam: boolean
  readonly isTooLarge: boolean
  /** It went to the signed address of a ticket and a person, from the verified address of that person. */
  readonly isMatched: boolean
  /** Earlier mails within an hour: of a matched sender those that became messages, which nobody else can send; else those that became none. */
  readonly sentThisHour: number
  /** Earlier mails of the sender to the ticket within an hour with the same text. */
  readonly sameTexts: number
}

export type MailDecision =
  | { readonly kind: 'message' }
  | { readonly kind: 'bounce' }
  /** It stays in the mailbox for now. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'answer'; readonly why: AnsweredMail }
  | { readonly kind: 'drop'; readonly why: DroppedMail }

const drop = (why: DroppedMail): MailDecision => ({ kind: 'drop', why })

/**
 * The decision about a received mail. Only one to the right address from the right sender becomes a message, and no
 * program gets an answer.
 */
export const decideMail = (facts: MailFacts): MailDecision => {
  if (facts.report !== null) return facts.report.isFinal ? { kind: 'bounce' } : drop('automatic')
  if (!facts.isReadable) return drop('unreadable')
  if (facts.sender === null) return drop('no-sender')
  if (facts.isOwn) return drop('own')
  if (facts.isAutomatic) return drop('automatic')
  const isTooMany = facts.sentThisHour >= MAIL_BOUNDS.perSenderAndHour
  if (!facts.isMatched && isTooMany) return drop('too-many')
  if (!facts.isMatched) return facts.isSpam ? drop('spam') : { kind: 'answer', why: 'unmatched' }
  // A sender who has the signed address is a customer: after an outage many of their mails come at once, and none is
  // lost.
  if (isTooMany) return { kind: 'wait' }
  if (facts.isTooLarge) return { kind: 'answer', why: 'too-large' }
  if (facts.sameTexts >= MAIL_BOUNDS.sameText) return drop('loop')
  return { kind: 'message' }
}

/** The answers of a day so far: of those of the same kind, matched or not, to this sender and to all. */
export type SentAnswers = { readonly isMatched: boolean; readonly toSender: number; readonly toAll: number }

/**
 * Whether an answer is sent: to strangers one for each sender and day, and not to everybody in the world. A sender who
 * wrote to a signed address hears of each mail that became no message, because strangers cannot use up their answers.
 */
export const mayAnswer = ({ isMatched, toSender, toAll }: SentAnswers): boolean =>
  isMatched ? toSender < MAIL_BOUNDS.answersPerPerson : toSender === 0 && toAll < MAIL_BOUNDS.answersPerDay
