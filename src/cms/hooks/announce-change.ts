import type { PayloadRequest } from 'payload'
import { v7 as uuidv7 } from 'uuid'
import { INTERNAL_HEADERS, type INTERNAL_CALLS } from '#contracts/internal-api/calls.ts'
import type * as z from 'zod'
import { controlPlaneAt } from '../../lib/control-plane-client.ts'
import { siteSettings } from '../../lib/env.ts'
import { cmsSettings, isInsideNext } from '../settings.ts'

type Topic = z.infer<(typeof INTERNAL_CALLS)['nudge']['input']>['topic']
export type Change = { slug: string; id: string | null }

/** Which part of the control plane wants to hear of a collection or global. */
const topics: Record<string, Topic> = {
  computers: 'computers',
  templates: 'templates',
  services: 'services',
  packages: 'services',
  settings: 'settings',
  users: 'users',
  roles: 'users',
}

/**
 * Lets the site forget the pages made from what changed, and gives the control plane a hint. Both run after the answer, when
 * the transaction has been committed; neither can fail the change. The cache's tag is the slug of the collection or global.
 */
export const announceChange = async (change: Change, req: PayloadRequest): Promise<void> => {
  if (req.context.disableRevalidate) return
  if (!isInsideNext()) return announceFromOutside(change, req)
  const [{ revalidateTag }, { after }] = await Promise.all([import('next/cache.js'), import('next/server.js')])
  after(async () => {
    revalidateTag(change.slug, { expire: 0 })
    await nudge(change).catch((error: unknown) =>
      req.payload.logger.info({ err: error, change }, 'nudge not delivered'),
    )
  })
}

const nudge = async ({ slug, id }: Change): Promise<void> => {
  const topic = topics[slug]
  if (!topic) return
  const { controlPlaneUrl, internalSecret } = siteSettings()
  const controlPlane = controlPlaneAt({ url: controlPlaneUrl, secret: internalSecret })
  await controlPlane.call('nudge', { topic, id }, { requestId: uuidv7() })
}

/** A script beside the site asks it over its private listener; without an address there is no site to ask. */
const announceFromOutside = async ({ slug }: Change, req: PayloadRequest): Promise<void> => {
  const { siteInternalUrl: url, internalSecret: secret } = cmsSettings()
  if (!url || !secret) return
  try {
    await fetch(`${url}/api/internal/revalidate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [INTERNAL_HEADERS.secret]: secret },
      body: JSON.stringify({ tags: [slug] }),
      signal: AbortSignal.timeout(3_000),
    })
  } catch (error) {
    req.payload.logger.info({ err: error, slug }, 'the site could not be told')
  }
}
