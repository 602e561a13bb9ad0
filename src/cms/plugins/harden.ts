import { type Endpoint, Forbidden, type PayloadHandler, type SanitizedConfig } from 'payload'
import { nobody } from '../access/nobody.ts'
import { staff } from '../access/staff.ts'
import { clampQuery } from '../queries/clamp-query.ts'
import { refuseQuery } from '../queries/refuse-query.ts'
import { refuseUnfitQuery, type QuerySubject } from '../queries/refuse-unfit-query.ts'

type Route = Pick<Endpoint, 'method' | 'path' | 'handler'>

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
  // Editors compare versions and restore one.
  posts: [...readAndWrite, 'get /versions', 'get /versions/:id', 'post /versions/:id'],
  'payload-preferences': ['get /:key', 'post /:key', 'delete /:key'],
  'payload-locked-documents': [],
  'payload-migrations': [],
}
const rootRoutes = ['get /access']

/** The admin's own endpoints. Their handlers check no access, or reveal an account's permissions to anybody. */
const ofTheAdmin = new Set([
  'get /access',
  'post /access',
  'post /access/:id?',
  'get /:key',
  'post /:key',
  'delete /:key',
  // It looks a version up before it checks access.
  'post /versions/:id',
])

/** Readers get a picture by its name alone: the list tells of pictures in drafts as well. */
const listedForStaff: Record<string, ReadonlySet<string>> = { media: new Set(['get /', 'get /:id', 'get /count']) }

const forStaff =
  (handler: PayloadHandler): PayloadHandler =>
  (req) => {
    if (!staff({ req })) throw new Forbidden(req.t)
    return handler(req)
  }

/**
 * Limits and checks a request's query before Payload, which passes much of it to the database unchanged. Payload's and
 * our access rules' own lookups are not affected.
 */
const withFitQuery =
  (handler: PayloadHandler, fields: QuerySubject['fields']): PayloadHandler =>
  (req) => {
    const isReading = req.method === 'GET'
    // A POST with method override may carry the query as JSON, which bypasses these checks.
    if (isReading && req.data !== undefined) refuseQuery('it is read from the address alone')
    if (Object.values(req.routeParams ?? {}).some((value) => String(value).includes('\u0000')))
      refuseQuery('a name has no NUL')
    refuseUnfitQuery(req.query, { config: req.payload.config, fields })
    req.query = clampQuery(req.query, isReading)
    return handler(req)
  }

type Kept = { readonly names: readonly string[]; readonly slug?: string; readonly fields?: QuerySubject['fields'] }

const kept = <T extends Route>(routes: readonly T[], { names, slug = '', fields }: Kept): T[] =>
  routes
    .filter(({ method, path }) => names.includes(`${method} ${path}`))
    .map((route) => ({ ...route, handler: withFitQuery(route.handler, fields) }))
    .map((route) => {
      const name = `${route.method} ${route.path}`
      const isForStaff = ofTheAdmin.has(name) || listedForStaff[slug]?.has(name) === true
      return isForStaff ? { ...route, handler: forStaff(route.handler) } : route
    })

/** Payload adds its own endpoints and collections after the plugins ran; only those in the lists above stay. */
export const harden = (config: SanitizedConfig): SanitizedConfig => {
  for (const collection of config.collections) {
    const names = openRoutes[collection.slug] ?? readAndWrite
    const { slug, flattenedFields: fields } = collection
    collection.endpoints = kept(collection.endpoints || [], { names, slug, fields })
    if (collection.slug === 'payload-preferences') {
      Object.assign(collection.access, { create: staff, admin: nobody, unlock: nobody, readVersions: nobody })
    } else if (collection.slug.startsWith('payload-')) {
      const access = collection.slug === 'payload-locked-documents' ? staff : nobody
      Object.assign(collection.access, { create: access, read: access, update: access, delete: access })
      Object.assign(collection.access, { admin: nobody, unlock: nobody, readVersions: nobody })
    }
  }
  for (const global of config.globals) global.endpoints = kept(global.endpoints || [], { names: globalRoutes })
  config.endpoints = kept(config.endpoints, { names: rootRoutes })
  return config
}
