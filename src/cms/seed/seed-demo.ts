import type { Payload } from 'payload'
import { withPayload } from '../start/with-payload.ts'
import { type AccountSeed, seedAccount, type SetPassword } from './seed-accounts.ts'
import { type ComputerSeed, seedComputer } from './seed-computer.ts'
import { seedContent } from './seed-content.ts'
import { seedSales } from './seed-sales.ts'
import { seedSeller } from './seed-seller.ts'
import { seedStatusPage } from './seed-status-page.ts'
import { seedCannedReplies } from './seed-canned-replies.ts'
import { seedGuides } from './seed-guides.ts'
import { seedPosts } from './seed-posts.ts'
import { seedTicketCategories } from './seed-ticket-categories.ts'
import { seedVotings } from './seed-votings.ts'
import { type SeedTarget, writeGlobal } from './write-localized.ts'

export type DemoSeed = {
  databaseUrl: string
  accounts: readonly AccountSeed[]
  computer?: ComputerSeed
  /** The address of the demo's site. Its page for support calls stands in for an uptime page. */
  siteUrl?: string
  setPassword: SetPassword
  /** The Discord application of the demo, if it brings one. */
  discord?: { readonly clientId: string; readonly clientSecret: string }
}

export type DemoSeeded = { content: 'written' | 'kept'; computerId: string | null; userIds: Record<string, string> }

/**
 * Fills a migrated database: content once per database (a second call keeps staff's changes), the accounts with the
 * caller's passwords, and this machine as a computer. The caller holds the lock of the migrations.
 */
export const seedDemo = (demo: DemoSeed): Promise<DemoSeeded> =>
  withPayload(demo.databaseUrl, async (payload) => {
    const content = await seedOnce(payload, 'content', seedContent)
    await seedOnce(payload, 'sales', seedSales)
    await seedOnce(payload, 'ticket categories', seedTicketCategories)
    await seedOnce(payload, 'canned replies', seedCannedReplies)
    await seedOnce(payload, 'guides', seedGuides)
    await seedOnce(payload, 'posts', seedPosts)
    await seedOnce(payload, 'votings', seedVotings)
    const { siteUrl } = demo
    if (siteUrl !== undefined) await seedOnce(payload, 'status page', (target) => seedStatusPage(target, siteUrl))
    const { discord } = demo
    if (discord !== undefined)
      await seedOnce(payload, 'discord', (target) => writeGlobal(target, 'settings', { discord }))
    await seedSeller(payload)
    const computerId = demo.computer ? await seedComputer(payload, demo.computer) : null
    const userIds: Record<string, string> = {}
    for (const account of demo.accounts) {
      userIds[account.username] = await seedAccount(payload, account, demo.setPassword)
    }
    return { content, computerId, userIds }
  })

/** The mark is written in the same transaction: an interrupted run has written nothing. */
const seedOnce = async (
  payload: Payload,
  name: string,
  write: (target: SeedTarget) => Promise<void>,
): Promise<DemoSeeded['content']> => {
  const { rows } = await payload.db.pool.query('SELECT 1 FROM cms_api.seeds WHERE name = $1', [name])
  if (rows.length > 0) return 'kept'
  const transactionID = await payload.db.beginTransaction()
  if (transactionID === null) throw new Error('The database gave no transaction to seed in')
  try {
    await write({ payload, req: { transactionID, context: { disableRevalidate: true } } })
    await transactionOf(payload, transactionID).execute(`INSERT INTO cms_api.seeds (name) VALUES ('${name}')`)
    await payload.db.commitTransaction(transactionID)
  } catch (error) {
    await payload.db.rollbackTransaction(transactionID)
    throw error
  }
  return 'written'
}

type Statements = { execute: (statement: string) => Promise<unknown> }

const transactionOf = (payload: Payload, id: number | string): Statements => {
  const session = payload.db.sessions?.[id]
  if (!session) throw new Error('The transaction of the seed ended early')
  return session.db as Statements
}
