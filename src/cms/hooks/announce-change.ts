import { sql } from '@payloadcms/db-postgres'
import type { PayloadRequest } from 'payload'
import { v7 as uuidv7 } from 'uuid'
import type { INTERNAL_CALLS } from '#contracts/internal-api/calls.ts'
import type * as z from 'zod'
import { controlPlaneAt } from '../../lib/site/control-plane-client.ts'
import { CONTENT_CHANNEL } from '../../lib/site/content-channel.ts'
import { siteSettings } from '../../lib/site/env.ts'
import { isInsideNext } from '../start/settings.ts'

type Topic = z.infer<(typeof INTERNAL_CALLS)['nudge']['input']>['topic']
export type Change = { slug: string; id: string | null }

/** The part of the control plane that is notified about a collection or global. */
const topics: Record<string, Topic> = {
  computers: 'computers',
  templates: 'templates',
  services: 'services',
  packages: 'services',
  settings: 'settings',
  users: 'users',
  roles: 'users',
  votings: 'votings',
}

/** No public page shows these: their changes leave the kept pages alone. */
const notOnPages: ReadonlySet<string> = new Set(['votings'])

/**
 * Makes every process of the site drop the pages built from the changed content, and notifies the control plane. The
 * tag of the pages is the slug of the collection or global.
 */
export const announceChange = async (change: Change, req: PayloadRequest): Promise<void> => {
  if (req.context.disableRevalidate) return
  const isOnPages = !notOnPages.has(change.slug)
  if (isOnPages) await tellEverySite(change.slug, req)
  if (!isInsideNext()) return
  const [{ revalidateTag }, { after }] = await Promise.all([import('next/cache.js'), import('next/server.js')])
  // After the response the transaction has been committed. Done in this process too, so that the publisher sees it at
  // once.
  after(async () => {
    if (isOnPages) revalidateTag(change.slug, { expire: 0 })
    await nudge(change).catch((error: unknown) =>
      req.payload.logger.info({ err: error, change }, 'nudge not delivered'),
    )
  })
}

type Statements = { execute: (statement: ReturnType<typeof sql>) => Promise<unknown> }

/** PostgreSQL delivers the notification when the change is committed, and never when it is not. */
const tellEverySite = async (slug: string, req: PayloadRequest): Promise<void> => {
  const { db } = req.payload
  const transactionId = await req.transactionID
  const session = transactionId === undefined ? undefined : db.sessions?.[transactionId]
  const statements = (session?.db ?? db.drizzle) as Statements
  await statements.execute(sql`select pg_notify(${CONTENT_CHANNEL}, ${slug})`)
}

const nudge = async ({ slug, id }: Change): Promise<void> => {
  const topic = topics[slug]
  if (!topic) return
  const { controlPlaneUrl, internalSecret } = siteSettings()
  const controlPlane = controlPlaneAt({ url: controlPlaneUrl, secret: internalSecret })
  await controlPlane.call('nudge', { topic, id }, { requestId: uuidv7() })
}
