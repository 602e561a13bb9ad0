import { add } from '#domain/billing/money.ts'
import { BILLING_MONTH_MS } from '#domain/billing/period.ts'
import { announceBalance, notifyUser, recordActivity } from '../../messages/notices/notify-user.ts'
import { acceptMail } from '../../messages/mail/accept-mail.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readPerson } from '../../cms/cms-reader.ts'
import type { DecidedWithdrawal } from './decide-withdrawal.ts'
import type { ConfirmWithdrawal, WithdrawalContext } from './withdrawal-context.ts'

type Told = { readonly command: ConfirmWithdrawal; readonly decided: DecidedWithdrawal; readonly nowMs: number }

/** The activity, the bell and the balance of the customer's open pages. */
export async function tellWithdrawal(tx: Sql, context: WithdrawalContext, { command, decided }: Told): Promise<void> {
  const { caller, requestId } = command
  const { userId, address, way, locale } = caller
  const { contract, back, withdrawal } = decided
  const { kind, documentId, serverId, serverName, product } = contract
  const change = add(back.money, back.bonus)
  const amount = Number(change.minor)
  await recordActivity(tx, context, {
    userId,
    address,
    way,
    type: 'withdrawal.confirmed',
    status: 'success',
    ...(serverId === null ? {} : { serverId }),
    detail: { kind, documentId, backFt: amount, keptFt: Number(withdrawal.kept.minor) },
  })
  if (amount > 0) {
    const { available: balance } = await context.ledgerOn(tx).userBalance(userId, 'HUF')
    await announceBalance(tx, context, { userId, type: 'refund', change, balance, requestId })
  }
  const data = { product: product[locale], amount, ...(serverId === null ? {} : { sid: serverId }) }
  const named = serverName === null ? data : { ...data, name: serverName }
  await notifyUser(tx, context, { userId, text: 'withdrawal.confirmed', data: named, requestId })
}

/**
 * Acknowledges the statement on a durable medium with its date and time, as directive 2011/83/EU, article 11a,
 * requires. No notification setting can switch off a mail required by law.
 */
export async function mailReceipt(
  tx: Sql,
  context: WithdrawalContext,
  { command, decided, nowMs, withdrawalId }: Told & { withdrawalId: string },
): Promise<void> {
  const { userId } = command.caller
  const person = await readPerson(tx, userId)
  if (!person) return
  const { contract, withdrawal, endsAtMs } = decided
  const { kind, documentId, product, serverName } = contract
  const language = person.language ?? command.caller.locale
  const order = {
    id: withdrawalId,
    to: person.email,
    language,
    expiresAt: new Date(nowMs + BILLING_MONTH_MS).toISOString(),
    content: {
      kind: 'withdrawal' as const,
      params: {
        contract: kind,
        number: documentId,
        product: product[language],
        server: serverName ?? '',
        at: new Date(nowMs).toISOString(),
        concludedAt: new Date(contract.concludedAtMs).toISOString(),
        backFt: Number(withdrawal.back.minor),
        keptFt: Number(withdrawal.kept.minor),
        endsAt: new Date(endsAtMs).toISOString(),
        path: '/dashboard/balance/summary',
      },
    },
  }
  await acceptMail(tx, context, { order, requestId: command.requestId })
}
