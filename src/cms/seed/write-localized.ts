import type { CollectionSlug, GlobalSlug, Payload, PayloadRequest } from 'payload'
import { LOCALES } from '#contracts/locale.ts'
import { inLanguage, withRowIds } from './localized-data.ts'

/** The target of the seed: one transaction, without access control and without cache notifications. */
export type SeedTarget = { payload: Payload; req: Partial<PayloadRequest> }

const first = 'hu'
const others = LOCALES.filter((locale) => locale !== first)

// The data are plain literals of this folder; the fields' own validation checks them.
type AnyCreate = Parameters<Payload['create']>[0]
type AnyUpdate = Parameters<Payload['update']>[0]
type AnyGlobal = Parameters<Payload['updateGlobal']>[0]

/** Creates a document in the content's own language, then adds the others; returns its id. */
export const createLocalized = async (
  { payload, req }: SeedTarget,
  collection: CollectionSlug,
  data: object,
): Promise<string> => {
  const base = { collection, req, depth: 0, overrideAccess: true }
  const stored = await payload.create({ ...base, locale: first, data: inLanguage(data, first) } as AnyCreate)
  for (const locale of others) {
    const localized = withRowIds(inLanguage(data, locale), stored)
    await payload.update({ ...base, id: stored.id, locale, data: localized } as AnyUpdate)
  }
  return String(stored.id)
}

/** Writes a global in every language. */
export const writeGlobal = async ({ payload, req }: SeedTarget, slug: GlobalSlug, data: object): Promise<void> => {
  const base = { slug, req, depth: 0, overrideAccess: true }
  const stored = await payload.updateGlobal({ ...base, locale: first, data: inLanguage(data, first) } as AnyGlobal)
  for (const locale of others) {
    await payload.updateGlobal({ ...base, locale, data: withRowIds(inLanguage(data, locale), stored) } as AnyGlobal)
  }
}
