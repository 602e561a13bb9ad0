import type { SanitizedConfig } from 'payload'
import { administrator } from '../access/administrator.ts'
import { nobody } from '../access/nobody.ts'
import { staff } from '../access/staff.ts'

type Route = { method: string; path: string }

const readAndWrite = [
  'get /',
  'get /:id',
  'get /count',
  'post /',
  'post /access/:id?',
  'patch /',
  'patch /:id',
  'delete /',
  'delete /:id',
]
const globalRoutes = ['get /', 'post /', 'post /access']
const openRoutes: Record<string, readonly string[]> = {
  users: ['get /me', 'get /', 'get /:id', 'get /count', 'post /access/:id?', 'patch /:id'],
  media: [...readAndWrite, 'get /file/:filename'],
  'payload-preferences': ['get /:key', 'post /:key', 'delete /:key'],
  'payload-locked-documents': [],
  'payload-migrations': [],
}
const rootRoutes = ['get /access']

const kept = <T extends Route>(routes: readonly T[], names: readonly string[]): T[] =>
  routes.filter(({ method, path }) => names.includes(`${method} ${path}`))

/** Payload adds endpoints and collections of its own after the plugins ran; only what stands in the lists above stays. */
export const harden = (config: SanitizedConfig): SanitizedConfig => {
  for (const collection of config.collections) {
    const names = openRoutes[collection.slug] ?? readAndWrite
    if (collection.endpoints) collection.endpoints = kept(collection.endpoints, names)
    if (collection.slug === 'payload-preferences') {
      Object.assign(collection.access, { create: staff, admin: nobody, unlock: nobody, readVersions: nobody })
    } else if (collection.slug.startsWith('payload-')) {
      const access = collection.slug === 'payload-locked-documents' ? administrator : nobody
      Object.assign(collection.access, { create: access, read: access, update: access, delete: access })
      Object.assign(collection.access, { admin: nobody, unlock: nobody, readVersions: nobody })
    }
  }
  for (const global of config.globals) {
    if (global.endpoints) global.endpoints = kept(global.endpoints, globalRoutes)
  }
  config.endpoints = kept(config.endpoints, rootRoutes)
  return config
}
