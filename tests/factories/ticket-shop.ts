import { systemIds } from '#platform/ids.ts'
import type { PlatformDatabase } from './platform-database.ts'
import { callerOf, userWith } from './shop.ts'

/** The categories of tickets in a shop, and people on both sides of its tickets. */
export const ticketShop = (database: () => PlatformDatabase) => {
  const [billing, technical] = [systemIds.next(), systemIds.next()]
  /** Somebody with a confirmed address and so much money; returns their id. */
  const person = async (amountFt = 0n): Promise<string> => {
    const userId = await userWith(database().db, amountFt)
    await database().owner.query(
      `insert into cms_api.people (id, username, identifier, email, language, verified, invoice_type, is_admin, is_support)
       values ($1, $2, 'acdefghj', $2 || '@example.test', 'hu', true, 'receipt', false, false)`,
      [userId, `p-${userId.slice(-12)}`],
    )
    return userId
  }
  return {
    billing,
    technical,
    person,
    /** Support of a category, or an administrator, who works on all. */
    worker: async (categoryId: string | null) => {
      const userId = await person()
      await database().owner.query('insert into cms_api.ticket_staff values ($1, $2)', [userId, categoryId])
      return { ...callerOf(userId), isSupport: categoryId !== null, isAdmin: categoryId === null }
    },
    addCategories: async (): Promise<void> => {
      const names = JSON.stringify({ en: 'Billing', hu: 'Számlázás', de: 'Abrechnung' })
      for (const id of [billing, technical])
        await database().owner.query('insert into cms_api.ticket_categories (id, name) values ($1, $2)', [id, names])
    },
  }
}
