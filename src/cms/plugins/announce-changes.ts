import type { Config, Plugin } from 'payload'
import { announceChange } from '../hooks/announce-change.ts'

/** Every change of content reaches the public pages, also in collections added later. */
export const announceChanges: Plugin = (config: Config): Config => ({
  ...config,
  collections: (config.collections ?? []).map((collection) => ({
    ...collection,
    hooks: {
      ...collection.hooks,
      afterChange: [
        ...(collection.hooks?.afterChange ?? []),
        ({ doc, req }) => announceChange({ slug: collection.slug, id: String(doc.id) }, req),
      ],
      afterDelete: [
        ...(collection.hooks?.afterDelete ?? []),
        ({ id, req }) => announceChange({ slug: collection.slug, id: String(id) }, req),
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
