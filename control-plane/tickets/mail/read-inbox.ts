import { askAgainAfterMs, MOST_MISSED } from '#domain/tickets/mail-decision.ts'
import type { VirusScanner } from '#platform/virus-scan/virus-scanner.ts'
import { InboxFailure, type AfterLook, type MailInbox, type WaitingMail } from '../../messages/inbox/mail-inbox.ts'
import { ParserClosed } from '../../messages/inbox/mail-parser.ts'
import { untilItFails } from './mail-files.ts'
import { isTaken, takeMail, type TakingDeps } from './take-mail.ts'

/** A mail that could not be handled is looked at again after this time: the site or the database may be back. */
const AGAIN_MS = 5 * 60_000

type ReadingDeps = TakingDeps & { readonly inbox: MailInbox }
/** Until when a mail is left alone, in epoch milliseconds, and how often the mail server did not give it. */
type Held = { readonly untilMs: number; readonly missed: number }

const keyOf = ({ mailbox, uidValidity, uid }: WaitingMail): string => `${mailbox} ${uidValidity} ${uid}`

/** Notes that the mail server did not give a mail. It is told once, and once more when somebody must look. */
const notGiven = (
  { clock, log, metrics }: ReadingDeps,
  { uid, missed, failure }: { uid: number; missed: number; failure: InboxFailure },
): Held => {
  if (missed === 1) {
    metrics.receivedMails.inc({ outcome: 'failed' })
    log.warn({ uid, failure: failure.code }, 'the mail server does not give a mail, it is asked for again')
  }
  if (missed === MOST_MISSED) {
    metrics.mailAlarms.inc({ reason: 'mail not given' })
    log.error(
      { uid, failure: failure.code, missed },
      'the mail server does not give a mail, it is asked for once a day',
    )
  }
  return { missed, untilMs: clock.now() + askAgainAfterMs(missed) }
}

/**
 * Reads the mailbox. A mail that cannot be handled stays in it and stops no other one; until its time has come it is not fetched again.
 * While the mail server is down nothing is lost: the mails wait there.
 */
export function inboxReader(deps: ReadingDeps): () => Promise<void> {
  let held = new Map<string, Held>()
  const failed = (mail: WaitingMail, error: unknown): Held => {
    const missed = held.get(keyOf(mail))?.missed ?? 0
    const { uid } = mail
    if (error instanceof InboxFailure) return notGiven(deps, { uid, missed: missed + 1, failure: error })
    deps.metrics.receivedMails.inc({ outcome: 'failed' })
    deps.log.error({ uid, reason: String(error) }, 'a mail could not be handled, it stays in the mailbox')
    return { missed, untilMs: deps.clock.now() + AGAIN_MS }
  }
  const attempt = async (mail: WaitingMail, scanner: VirusScanner): Promise<AfterLook> => {
    if (deps.clock.now() < (held.get(keyOf(mail))?.untilMs ?? 0)) return 'keep'
    try {
      if (await isTaken(deps.db, mail)) return 'remove'
      await takeMail({ ...deps, scanner }, await mail.fetch())
      return 'remove'
    } catch (error) {
      // The control plane stops: the next one reads the rest.
      if (error instanceof ParserClosed) throw error
      held.set(keyOf(mail), failed(mail, error))
      if (error instanceof InboxFailure && error.isLost) throw error
      return 'keep'
    }
  }
  return async () => {
    const seen = new Set<string>()
    const scanner = untilItFails(deps.scanner)
    try {
      await deps.inbox.visit((mail) => {
        seen.add(keyOf(mail))
        return attempt(mail, scanner)
      })
      held = new Map([...held].filter(([key]) => seen.has(key)))
    } catch (error) {
      if (error instanceof ParserClosed) return
      if (!(error instanceof InboxFailure)) throw error
      deps.metrics.mailAlarms.inc({ reason: 'mailbox' })
      deps.log.warn({ failure: error.code }, 'the mailbox cannot be read, it is tried again')
    }
  }
}
