import { APIError, type CollectionBeforeDeleteHook, type CollectionSlug } from 'payload'
import { textIn, type Words } from '../fields/languages.ts'

type Use = { readonly collection: CollectionSlug; readonly field: string; readonly sentence: Words }

/** Refuses to delete a document that another collection still refers to, and says so in the language of the admin. */
export const keepWhileUsed =
  ({ collection, field, sentence }: Use): CollectionBeforeDeleteHook =>
  async ({ id, req }) => {
    const where = { [field]: { equals: id } }
    const { totalDocs } = await req.payload.count({ collection, where, req, overrideAccess: true })
    if (totalDocs === 0) return
    throw new APIError(textIn(req.i18n.language, sentence), 409, undefined, true)
  }
