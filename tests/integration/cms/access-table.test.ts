import type { FlattenedField, PayloadRequest } from 'payload'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  asTheDocument,
  collectionAccess,
  collectionEndpoints,
  fieldAccess,
  rootEndpoints,
  type Statuses,
} from './access-table.ts'
import { globalAccess, globalEndpoints } from './access-globals.ts'
import { type CmsHarness, people, type Person, startCms } from './cms-harness.ts'

vi.mock('../../../src/identity/dependencies.ts', () => import('./test-identity.ts'))

let cms: CmsHarness

beforeAll(async () => {
  cms = await startCms()
})

afterAll(() => cms.close())

const absent = '00000000-0000-7000-8000-000000000000'
const onlyAbsent = `?where[id][equals]=${absent}`

/** The address of a row: reading and patching take the sample, deleting takes a document that does not exist. */
const addressOf = (prefix: string, route: string): string => {
  const [method = '', path = ''] = route.split(' ', 2)
  const sample = method === 'delete' ? absent : (cms.documents[prefix.slice(1)] ?? absent)
  const filled = path
    .replace('/:id?', `/${sample}`)
    .replace(':filename', 'sample.png')
    .replace(':key', 'sample')
    .replace(':id', sample)
  const query = (method === 'patch' || method === 'delete') && path === '/' ? onlyAbsent : ''
  return `${method} ${prefix}${filled === '/' ? '' : filled}${query}`
}

const walk = async (prefix: string, rows: Record<string, Statuses>): Promise<Record<string, number[]>> => {
  const seen: Record<string, number[]> = {}
  for (const route of Object.keys(rows)) {
    const statuses = []
    for (const person of people) statuses.push((await cms.send(person, addressOf(prefix, route), {})).status)
    seen[route] = statuses
  }
  return seen
}

const namesOf = (endpoints: readonly { method: string; path: string }[] | false) =>
  (endpoints || []).map(({ method, path }) => `${method} ${path}`)

const openRows = (rows: Record<string, Statuses>) =>
  Object.entries(rows)
    .filter(([, statuses]) => statuses.some((status) => status !== 404))
    .map(([route]) => route)

describe('endpoints', () => {
  it('every collection responds at its endpoints as the table says', async () => {
    expect(cms.config.collections.map(({ slug }) => slug).sort()).toEqual(Object.keys(collectionEndpoints).sort())
    for (const { slug } of cms.config.collections) {
      const rows = collectionEndpoints[slug] ?? {}
      expect({ [slug]: await walk(`/${slug}`, rows) }).toEqual({ [slug]: rows })
    }
  })

  it('every global responds at its endpoints as the table says', async () => {
    expect(cms.config.globals.map(({ slug }) => slug).sort()).toEqual(Object.keys(globalEndpoints).sort())
    for (const { slug } of cms.config.globals) {
      const rows = globalEndpoints[slug] ?? {}
      expect({ [slug]: await walk(`/globals/${slug}`, rows) }).toEqual({ [slug]: rows })
    }
  })

  it('at the root respond as the table says', async () => {
    expect(await walk('', rootEndpoints)).toEqual(rootEndpoints)
  })

  it('are those of the table and no others', () => {
    for (const { slug, endpoints } of cms.config.collections) {
      const rows = openRows(collectionEndpoints[slug] ?? {})
      // `get /init` is caught by `get /:id`, which is a row of its own.
      const written = rows.filter((route) => route !== 'get /init').sort()
      expect({ [slug]: namesOf(endpoints).sort() }).toEqual({ [slug]: written })
    }
    for (const { slug, endpoints } of cms.config.globals) {
      expect(namesOf(endpoints).sort()).toEqual(openRows(globalEndpoints[slug] ?? {}).sort())
    }
    expect(namesOf(cms.config.endpoints)).toEqual(openRows(rootEndpoints))
  })
})

const requestOf = (person: Person): PayloadRequest => {
  const id = person === 'anonymous' ? undefined : cms.ids[person]
  const grants = { isAdmin: person === 'administrator', isSupport: person === 'support' }
  const user = id ? { id, collection: 'users', grants } : null
  return { user, payload: cms.payload, context: {} } as unknown as PayloadRequest
}

const word = (answer: unknown): string => (answer === true ? 'yes' : answer === false ? 'no' : 'some')

type Ask = (args: { req: PayloadRequest; id?: string }) => unknown

const answersOf = async (ask: Ask): Promise<string> => {
  const answers = []
  for (const person of people) answers.push(word(await ask({ req: requestOf(person), id: cms.ids.stranger })))
  return answers.join(' ')
}

const fieldAnswersOf = async (ask: Ask): Promise<string> => {
  const own = []
  for (const person of ['administrator', 'customer'] as const) {
    own.push(word(await ask({ req: requestOf(person), id: cms.ids[person] })))
  }
  return `${await answersOf(ask)} | ${own.join(' ')}`
}

const accessOf = async (access: Record<string, unknown>): Promise<Record<string, string>> => {
  const answers: Record<string, string> = {}
  for (const [operation, ask] of Object.entries(access)) answers[operation] = await answersOf(ask as Ask)
  return answers
}

describe('the admin', () => {
  const shownTo = (person: Person) =>
    [...cms.config.collections, ...cms.config.globals]
      .filter(({ slug }) => !slug.startsWith('payload-'))
      .filter(({ admin }) => {
        const { hidden } = admin
        return typeof hidden === 'function' ? !hidden({ user: requestOf(person).user as never }) : hidden !== true
      })
      .map(({ slug }) => slug)

  it('shows the ticket system to support, everything to administrators, and nothing else to anybody', () => {
    expect(shownTo('support')).toEqual(['ticket-categories', 'canned-replies'])
    expect(shownTo('customer')).toEqual(['ticket-categories', 'canned-replies'])
    const all = [...Object.keys(collectionEndpoints), ...Object.keys(globalEndpoints)]
    expect(shownTo('administrator').toSorted()).toEqual(all.filter((slug) => !slug.startsWith('payload-')).toSorted())
  })
})

describe('access', () => {
  it('to every collection is that of the table', async () => {
    for (const { slug, access } of cms.config.collections) {
      expect({ [slug]: await accessOf(access) }).toEqual({ [slug]: collectionAccess[slug] })
    }
  })

  it('to every global is that of the table', async () => {
    for (const { slug, access } of cms.config.globals) {
      expect({ [slug]: await accessOf(access) }).toEqual({ [slug]: globalAccess[slug] })
    }
  })

  it('to every field is that of the table', async () => {
    const entities: { slug: string; flattenedFields: readonly FlattenedField[] }[] = [
      ...cms.config.collections,
      ...cms.config.globals,
    ]
    for (const { slug, flattenedFields } of entities) {
      const own: Record<string, string> = {}
      const plain: string[] = []
      for (const { path, field } of everyField(flattenedFields)) {
        const rules = Object.entries('access' in field ? (field.access ?? {}) : {})
        if (rules.length === 0) plain.push(path)
        for (const [operation, ask] of rules) own[`${path} ${operation}`] = await fieldAnswersOf(ask as Ask)
      }
      expect({ [slug]: own }).toEqual({ [slug]: fieldAccess[slug] ?? {} })
      expect({ [slug]: plain.sort() }).toEqual({ [slug]: [...(asTheDocument[slug] ?? [])].sort() })
    }
  })
})

const everyField = (fields: readonly FlattenedField[], parent = ''): { path: string; field: FlattenedField }[] =>
  fields.flatMap((field) => {
    const path = `${parent}${field.name}`
    const inside = 'flattenedFields' in field ? everyField(field.flattenedFields, `${path}.`) : []
    return [{ path, field }, ...inside]
  })
