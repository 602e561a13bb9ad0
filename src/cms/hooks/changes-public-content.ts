import type { BasePayload, CollectionSlug, PayloadRequest } from 'payload'

type Saved = { readonly id: number | string; readonly updatedAt?: unknown; readonly _status?: unknown }
type Change = {
  readonly slug: CollectionSlug
  readonly doc: Saved
  readonly operation: 'create' | 'update'
  readonly req: Pick<PayloadRequest, 'transactionID'> & {
    readonly payload: { readonly db: Pick<BasePayload['db'], 'findOne'> }
  }
}

/**
 * Whether a saved document of a collection with drafts changes what the public reads. Payload keeps the draft of a published document
 * among its versions and leaves the row of the document alone: so a draft whose row was written just now was published before.
 */
export const changesPublicContent = async ({ slug, doc, operation, req }: Change): Promise<boolean> => {
  if (doc._status === 'published') return true
  if (operation === 'create') return false
  const row = await req.payload.db.findOne<Saved & { id: number | string }>({
    collection: slug,
    where: { id: { equals: doc.id } },
    req: req as PayloadRequest,
  })
  return row !== null && String(row.updatedAt) === String(doc.updatedAt)
}
