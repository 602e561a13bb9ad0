import { InboxFailure, type MailInbox } from '../../messages/inbox/mail-inbox.ts'
import { takeMail, type TakingDeps } from './take-mail.ts'

/** A mail that could not be handled is looked at again after this time: the site or the database may be back. */
const AGAIN_MS = 5 * 60_000

type ReadingDeps = TakingDeps & { readonly inbox: MailInbox }

/**
 * Reads the mailbox. A mail that cannot be handled stays in it and stops no other one. While the mail server is down nothing is lost: the
 * mails wait there.
 */
export function inboxReader(deps: ReadingDeps): () => Promise<void> {
  const againAt = new Map<string, number>()
  const attempt = async (mail: Parameters<Parameters<MailInbox['visit']>[0]>[0]): Promise<'remove' | 'keep'> => {
    const place = `${mail.mailbox} ${mail.uidValidity} ${mail.uid}`
    const nowMs = deps.clock.now()
    if (nowMs < (againAt.get(place) ?? 0)) return 'keep'
    try {
      await takeMail(deps, mail)
      againAt.delete(place)
      return 'remove'
    } catch (error) {
      againAt.set(place, nowMs + AGAIN_MS)
      deps.metrics.receivedMails.inc({ outcome: 'failed' })
      deps.log.error({ uid: mail.uid, reason: String(error) }, 'a mail could not be handled, it stays in the mailbox')
      return 'keep'
    }
  }
  return async () => {
    try {
      await deps.inbox.visit(attempt)
    } catch (error) {
      if (!(error instanceof InboxFailure)) throw error
      deps.metrics.mailAlarms.inc({ reason: 'mailbox' })
      deps.log.warn({ failure: error.code }, 'the mailbox cannot be read, it is tried again')
    }
  }
}
