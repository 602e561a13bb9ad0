import type { Config, Plugin } from 'payload'
import { nobody } from '../access/nobody.ts'

const closedCollection = {
  create: nobody,
  read: nobody,
  update: nobody,
  delete: nobody,
  unlock: nobody,
  readVersions: nobody,
  admin: nobody,
}
const closedGlobal = { read: nobody, update: nobody, readVersions: nobody }

/** Everything that a collection or global does not open is closed; Payload's own default lets every account in. */
export const denyByDefault: Plugin = (config: Config): Config => ({
  ...config,
  graphQL: { ...config.graphQL, disable: true },
  jobs: { ...config.jobs, access: { run: nobody, queue: nobody, cancel: nobody } },
  collections: (config.collections ?? []).map((collection) => ({
    ...collection,
    graphQL: false,
    disableDuplicate: true,
    access: { ...closedCollection, ...collection.access },
  })),
  globals: (config.globals ?? []).map((global) => ({
    ...global,
    graphQL: false,
    access: { ...closedGlobal, ...global.access },
  })),
})
