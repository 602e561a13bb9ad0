import type { MailOrder } from '#contracts/mail/mail.ts'
import { enqueue } from '../../platform/outbox-writer.ts'
import type { Context } from '../../platform/context.ts'
import { sealOwn } from '../../platform/own-seal.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { MailSealing } from './mail-context.ts'

/** Binds the sealed content to its row. */
export const sealLabel = (mailId: string): string => `mail ${mailId}`

/**
 * Accepts a mail inside the caller's transaction: its row and its sending task are created together. A known id changes
 * nothing, so the sender may repeat the call until it is acknowledged. Resolves with whether it is new.
 */
export async function acceptMail(
  tx: Sql,
  context: Pick<Context, 'ids' | 'clock'> & MailSealing,
  { order, requestId }: { order: MailOrder; requestId: string },
): Promise<boolean> {
  const content = Buffer.from(JSON.stringify(order.content))
  const sealed = sealOwn(content, {
    secret: context.mailSecret,
    label: sealLabel(order.id),
    nonce: context.ids.bytes(12),
  })
  const now = new Date(context.clock.now())
  const written = await tx.query(
    `insert into control.mails (id, kind, language, recipient, sealed, next_try_at, expires_at, request_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $6) on conflict (id) do nothing returning id`,
    [order.id, order.content.kind, order.language, order.to, sealed, now, new Date(order.expiresAt), requestId],
  )
  if (written.length === 0) return false
  await enqueue(tx, context, { topic: 'mail-send', payload: { mailId: order.id }, requestId })
  return true
}
