import type { MailKind, MailOrder, MailParams } from '#contracts/mail/mail.ts'
import { drainMails } from '../../src/identity/accounts/mail-relay.ts'
import type { TestIdentity } from './identity-context.ts'

/** The mails that the site sends: takes the queued ones, and finds those for an address. */
export const openMailbox = ({ context }: Pick<TestIdentity, 'context'>) => {
  const orders: MailOrder[] = []
  const failures: unknown[] = []
  const collect = async (): Promise<MailOrder[]> => {
    const handOver = (order: MailOrder) => {
      orders.push(order)
      return Promise.resolve()
    }
    while (await drainMails({ context, handOver, onFailure: (error) => void failures.push(error) }));
    if (failures.length > 0) throw failures[0]
    return orders
  }
  const all = async <Kind extends MailKind>(kind: Kind, to: string): Promise<MailParams<Kind>[]> =>
    (await collect())
      .filter((order) => order.to === to && order.content.kind === kind)
      .map((order) => order.content.params as unknown as MailParams<Kind>)
  return {
    collect,
    all,
    /** The content of the newest mail of this kind to the address. */
    newest: async <Kind extends MailKind>(kind: Kind, to: string): Promise<MailParams<Kind>> => {
      const found = (await all(kind, to)).at(-1)
      if (!found) throw new Error(`no mail ${kind} came to ${to}`)
      return found
    },
  }
}

/** The token of a link in a mail. */
export const tokenOf = ({ path }: { path: string }): string => path.split('=')[1] ?? ''
