import { deletionAtMs, dueReminder } from '#domain/billing/lifetime.ts'
import { notifyUser } from '../../messages/notices/notify-user.ts'
import { acceptMail } from '../../messages/mail/accept-mail.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { RenewableRow } from '../paid-time/lock-renewable.ts'
import { readPerson } from '../../cms/cms-reader.ts'
import type { LifetimeContext } from './lifetime-context.ts'
import { isFirst } from '../paid-time/lifetime-notices.ts'

export type Told = { readonly server: RenewableRow; readonly requestId: string }

/** Reminds the owner, in the bell and by mail, that the paid time ends soon: each reminder once per expiry. */
export async function remind(tx: Sql, context: LifetimeContext, { server, requestId }: Told): Promise<void> {
  // A test server cannot be renewed.
  if (server.isTest) return
  const { id, expiresAtMs, createdAtMs: paidFromMs } = server
  const reminder = dueReminder({ id, paidFromMs, expiresAtMs, nowMs: context.clock.now() })
  if (!reminder) return
  const { days } = reminder
  if (!(await isFirst(tx, context, { serverId: id, kind: `remind-${days}`, expiresAtMs }))) return
  const data = { sid: id, name: server.name, days }
  await notifyUser(tx, context, { userId: server.ownerId, text: 'server.expiring', data, requestId })
  await mailExpiry(tx, context, { server, requestId })
}

/** These mails are part of the contract: a warning about the deletion of files cannot be switched off. */
async function mailExpiry(tx: Sql, context: LifetimeContext, { server, requestId }: Told): Promise<void> {
  const person = await readPerson(tx, server.ownerId)
  if (!person?.verified) return
  const { id, name, expiresAtMs } = server
  const order = {
    id: context.ids.next(),
    to: person.email,
    language: person.language,
    expiresAt: new Date(deletionAtMs(expiresAtMs)).toISOString(),
    content: {
      kind: 'expiry' as const,
      params: { server: name, at: new Date(expiresAtMs).toISOString(), path: `/panel/${id}/settings` },
    },
  }
  await acceptMail(tx, context, { order, requestId })
}
