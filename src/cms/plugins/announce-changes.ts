import type { CollectionConfig, CollectionSlug, Config, Plugin } from 'payload'
import { announceChange } from '../hooks/announce-change.ts'
import { changesPublicContent } from '../hooks/changes-public-content.ts'

const hasDrafts = ({ versions }: CollectionConfig): boolean =>
  typeof versions === 'object' && versions.drafts !== undefined && versions.drafts !== false

/**
 * Every change of content reaches the public pages, also in collections added later. The draft of a document changes none of
 * them: a page in memory would be dropped for it at each of an editor's saves.
 */
export const announceChanges: Plugin = (config: Config): Config => ({
  ...config,
  collections: (config.collections ?? []).map((collection) => ({
    ...collection,
    hooks: {
      ...collection.hooks,
      afterChange: [
        ...(collection.hooks?.afterChange ?? []),
        async ({ doc, operation, req }) => {
          const slug = collection.slug as CollectionSlug
          if (hasDrafts(collection) && !(await changesPublicContent({ slug, doc, operation, req }))) return
          await announceChange({ slug, id: String(doc.id) }, req)
        },
      ],
      afterDelete: [
        ...(collection.hooks?.afterDelete ?? []),
        ({ id, doc, req }) =>
          hasDrafts(collection) && doc._status !== 'published'
            ? undefined
            : announceChange({ slug: collection.slug, id: String(id) }, req),
      ],
    },
  })),
  globals: (config.globals ?? []).map((global) => ({
    ...global,
    hooks: {
      ...global.hooks,
      afterChange: [
        ...(global.hooks?.afterChange ?? []),
        ({ req }) => announceChange({ slug: global.slug, id: null }, req),
      ],
    },
  })),
})
