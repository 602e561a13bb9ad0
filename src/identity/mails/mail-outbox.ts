import { seal } from '#platform/seal.ts'
import type { Locale } from '#contracts/locale.ts'
import type { MailContent } from '#contracts/mail/mail.ts'
import { MailAddress, MailOrder } from '#contracts/mail/mail.ts'
import type { IdentityContext } from '../context/context.ts'
import type { Sql } from '../context/database.ts'
import { olderSealKey } from '../context/signing-keys.ts'
import type { Mailbox } from '../people/people.ts'

/** The channel that wakes the mail relay. */
export const MAIL_CHANNEL = 'bakter_site_mail'

/** Binds a sealed mail to its row. */
export const mailLabel = (id: string): string => `mail ${id}`

export const MINUTE_MS = 60_000
/** How long a mail about the account is worth sending. */
export const ONE_DAY_MINUTES = 24 * 60

/**
 * Whether mail may be sent to this person: staff may have entered an invalid address, and the person one that belongs
 * to somebody else.
 */
export const canReceive = ({ email, isTheirs }: Pick<Mailbox, 'email' | 'isTheirs'>): boolean =>
  isTheirs && MailAddress.safeParse(email).success

/** A client's description of itself, as a line of a mail. */
export const oneLine = (text: string): string => text.replaceAll(/[^\x20-\x7e]+/g, ' ').trim()

export type NewMail = {
  readonly to: string
  readonly language: Locale
  readonly content: MailContent
  /** The notification that the bell of a person shows besides. */
  readonly bell?: MailOrder['bell']
  /** How long the mail is worth sending. */
  readonly minutes: number
  readonly requestId: string
}

/**
 * Queues a mail inside the caller's transaction, so that it is sent exactly when the transaction commits. Throws when
 * an address or a text is not allowed in a mail.
 */
export const enqueueMail = async (
  tx: Sql,
  { ids, clock, sealSecret }: Pick<IdentityContext, 'ids' | 'clock' | 'sealSecret'>,
  mail: NewMail,
): Promise<void> => {
  const nowMs = clock.now()
  const id = ids.next()
  const expiresAt = new Date(nowMs + mail.minutes * MINUTE_MS).toISOString()
  const order = MailOrder.parse({
    id,
    to: mail.to,
    language: mail.language,
    expiresAt,
    content: mail.content,
    bell: mail.bell,
  })
  const plain = Buffer.from(JSON.stringify(order))
  const sealed = seal(plain, { key: olderSealKey(sealSecret), label: mailLabel(id), nonce: ids.bytes(12) })
  await tx.query(
    `with written as (
       insert into identity.mail_outbox (id, sealed, request_id, available_at, created_at) values ($1, $2, $3, $4, $4)
       returning id)
     select pg_notify('${MAIL_CHANNEL}', '') from written`,
    [id, sealed, mail.requestId, new Date(nowMs)],
  )
}
