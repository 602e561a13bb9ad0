import * as fc from 'fast-check'
import type { FlattenedField } from 'payload'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type CmsHarness, people, type Person, startCms } from './cms-harness.ts'

vi.mock('../../../src/identity/dependencies.ts', () => import('./test-identity.ts'))

const words = (text: string): string[] => text.split(' ')
const OPERATORS = [
  ...words('equals contains not_equals in all not_in exists greater_than greater_than_equal less_than less_than_equal'),
  ...words('like not_like within intersects near isNull nonsense'),
]
const VALUES = [
  ...words('x true TRUE false null undefined 0 -1 1.5 1e309 NaN Infinity % _ \\ \' {} [] {"a":1} gameServer process é'),
  ...words('2026-01-01 +275760-09-13 -000001-01-01 0000-01-01 tomorrow 00000000-0000-7000-8000-000000000000 00000000'),
  ...words('1,2 a,b , 10,20,30 \ud83d\ude00 \u0000'),
  '',
  '"; --',
  '9'.repeat(40),
  'x'.repeat(1_001),
  'x'.repeat(20_000),
]
/** Operators and values that fit a field of the type, which is to be answered then. */
const FITTING: Partial<Record<FlattenedField['type'], readonly (readonly [string, string])[]>> = {
  text: ['equals', 'not_equals', 'in', 'not_in', 'like', 'not_like', 'contains'].map(
    (operator) => [operator, 'a b'] as const,
  ),
  textarea: [['like', 'a%b'] as const, ['contains', '_'] as const],
  email: [['equals', 'a@b.example'] as const],
  number: ['equals', 'not_equals', 'in', 'not_in', 'greater_than', 'less_than_equal'].map(
    (each) => [each, '12'] as const,
  ),
  date: ['equals', 'not_equals', 'in', 'greater_than_equal', 'less_than'].map((each) => [each, '2026-01-01'] as const),
  checkbox: [['equals', 'true'] as const, ['not_equals', 'false'] as const],
}

let cms: CmsHarness
let found: { collection: string; path: string; field: FlattenedField }[]

/** Every path of a collection to three segments, through groups, lists and relations. */
const pathsOf = (
  fields: readonly FlattenedField[],
  prefix = '',
  depth = 0,
): { path: string; field: FlattenedField }[] =>
  fields.flatMap((field) => {
    const path = `${prefix}${field.name}`
    const related =
      'relationTo' in field ? cms.config.collections.find(({ slug }) => slug === field.relationTo) : undefined
    const joined =
      field.type === 'join' ? cms.config.collections.find(({ slug }) => slug === field.collection) : undefined
    const inner = 'flattenedFields' in field ? field.flattenedFields : (related ?? joined)?.flattenedFields
    return [{ path, field }, ...(inner && depth < 2 ? pathsOf(inner, `${path}.`, depth + 1) : [])]
  })

beforeAll(async () => {
  cms = await startCms()
  found = cms.config.collections
    .filter(({ slug }) => !slug.startsWith('payload-'))
    .flatMap(({ slug, flattenedFields }) => pathsOf(flattenedFields).map((each) => ({ collection: slug, ...each })))
})
afterAll(() => cms.close())

const part = encodeURIComponent
const condition = (path: string, operator: string, value: string) => `where[${part(path)}][${operator}]=${part(value)}`
const get = (person: Person, path: string) => cms.send(person, `get ${path}`)
/** No answer is a failure of ours, and none tells how things are stored. */
const expectAnswer = async (person: Person, path: string): Promise<number> => {
  const { status, text } = await get(person, path)
  expect(status, `${person} ${path.slice(0, 300)} ${text.slice(0, 300)}`).toBeLessThan(500)
  if (status === 400) expect(text).not.toMatch(/select |from "|syntax|node_modules|invalid input/i)
  return status
}

describe('a condition', () => {
  it('of any operator on any field is answered or refused, and never fails', { timeout: 600_000 }, async () => {
    const anyPath = fc.nat().map((at) => found[at % found.length])
    const ask = fc.record({
      person: fc.constantFrom(...people),
      target: anyPath,
      operator: fc.constantFrom(...OPERATORS),
      value: fc.oneof(fc.constantFrom(...VALUES), fc.string({ unit: 'grapheme', maxLength: 40 })),
      shape: fc.constantFrom('plain', 'list', 'tree', 'and', 'sort', 'id'),
    })
    await fc.assert(
      fc.asyncProperty(ask, async ({ person, target, operator, value, shape }) => {
        if (!target) throw new Error('There are no fields.')
        const { collection, path } = target
        const key = `where[${part(path)}][${operator}]`
        const query = {
          plain: condition(path, operator, value),
          list: `${key}[]=${part(value)}&${key}[]=${part(value)}`,
          tree: `${key}[a]=${part(value)}`,
          and: `where[or][0][and][0][${part(path)}][${operator}]=${part(value)}`,
          sort: `sort=-${part(path)}&${condition(path, operator, value)}`,
          id: condition(`${path}.id`, operator, value),
        }[shape]
        await expectAnswer(person, `/${collection}?depth=0&${query}`)
      }),
      { numRuns: 1_500 },
    )
  })

  it('that fits its field is answered to an administrator', { timeout: 300_000 }, async () => {
    const asked = found.filter(
      ({ path, field }) => !('virtual' in field && field.virtual) && path.split('.').length < 3,
    )
    for (const { collection, path, field } of asked) {
      const conditions = field.name === 'id' ? [['equals', cms.ids.stranger] as const] : (FITTING[field.type] ?? [])
      // Those of a field at once: each of them mostly waits for PostgreSQL.
      const asking = conditions.map(async ([operator, value]) => {
        const query = `/${collection}?depth=0&${condition(path, operator, value)}`
        const { status, text } = await get('administrator', query)
        expect([status, `${path} ${operator}`, status === 200 ? '' : text]).toEqual([200, `${path} ${operator}`, ''])
      })
      await Promise.all(asking)
    }
  })

  it.each([
    condition('slug', 'near', '1,2,3'),
    condition('slug', 'not_like', '\\'),
    condition('slug', 'not_like', 'a\\\\\\'),
    condition('slug', 'within', 'x'),
    condition('slug', 'intersects', 'x'),
    condition('position', 'like', 'x'),
    condition('position', 'contains', '1'),
    condition('points', 'greater_than', '1'),
    condition('serverTemplate', 'like', 'x'),
    condition('serverTemplate', 'in', 'a,b'),
    condition('category', 'equals', 'nonsense'),
    condition('highlighted', 'equals', 'perhaps'),
    condition('highlighted', 'equals', 'null'),
    condition('category', 'not_equals', 'null'),
    condition('packages.service.slug', 'equals', 'x'),
    condition('packages.service.id', 'exists', 'true'),
    condition('slug', 'exists', 'perhaps'),
    condition('createdAt', 'greater_than', 'tomorrow'),
    condition('createdAt', 'equals', '+275760-09-13'),
    condition('slug', 'equals', 'x'.repeat(2_000)),
    condition('nothing', 'equals', 'x'),
    condition('slug', 'all', 'x'),
    'where[slug][in][0][a]=x',
    'where[slug][equals][]=x',
    'where[slug][like][]=x',
    'where[slug]=x',
    'where[and]=x',
    'where[and][]=x',
    `where${'[and][0]'.repeat(8)}[slug][equals]=x`,
    Array.from({ length: 300 }, (_, at) => `where[or][${at}][slug][equals]=x`).join('&'),
  ])('that does not fit is refused with 400 and a sentence: %s', async (query) => {
    const { status, text } = await get('anonymous', `/services?${query}`)
    expect([status, text]).toEqual([400, expect.stringContaining('The query could not be understood')])
  })
})

describe('the other parts of a query', () => {
  const NONSENSE = ['-1', '0', 'NaN', '1e9', '1e309', 'Infinity', 'x', '', '1.5', '%00', 'null', '99999999999999999999']
  const NAMES = [
    'page',
    'limit',
    'depth',
    'locale',
    'fallback-locale',
    'fallbackLocale',
    'trash',
    'draft',
    'pagination',
  ]
  const MORE = ['flattenLocales', 'autosave', 'overrideLock', 'showHiddenFields', 'select', 'populate', 'joins', 'sort']
  const SHAPES = (name: string, value: string) => [
    `${name}=${value}`,
    `${name}[]=${value}`,
    `${name}[a]=${value}`,
    `${name}[a][b]=${value}`,
    `${name}=${value}&${name}=${value}`,
  ]

  it.each([...NAMES, ...MORE, 'data', 'where'])('never fail on nonsense: %s', async (name) => {
    for (const query of NONSENSE.flatMap((value) => SHAPES(name, value))) {
      const roots = ['/services', `/services/${cms.documents.services}`, '/services/count', '/globals/settings']
      const asking = roots.map((root) => expectAnswer('administrator', `${root}?${query}`))
      await Promise.all([...asking, expectAnswer('anonymous', `/globals/landing?${query}`)])
    }
  })

  it.each([
    'sort=nothing',
    'sort=points',
    'sort=machine',
    'sort=packages',
    'sort=dockerImages.label',
    'sort[a]=name',
    'select=x',
    'select[name]=perhaps',
    'populate=x',
    'populate[nothing][name]=true',
    'joins=x',
    'joins[nothing][limit]=1',
    'joins[packages]=x',
    'joins[packages][sort]=nothing',
    'joins[packages][where][name][near]=1',
    'data=x',
    'data={}',
  ])('are refused with 400: %s', async (query) => {
    const { status, text } = await get('anonymous', `/services?${query}`)
    expect([status, text]).toEqual([400, expect.stringContaining('The query could not be understood')])
  })

  it.each([
    'sort=-name,position',
    'select[name]=true',
    'populate[templates][name]=true',
    'joins[packages]=false',
    'sort=',
  ])('are answered: %s', async (query) => {
    expect((await get('anonymous', `/services?${query}`)).status).toBe(200)
  })

  it.each(['/services/%E0%A4%A', '/services/%00', '/media/file/%00', '/services/x', `/services/${'x'.repeat(5_000)}`])(
    'never fail in a meaningless address: %s',
    async (path) => {
      for (const person of people) expect([400, 403, 404]).toContain(await expectAnswer(person, path))
    },
  )

  it('are refused in a form whose document is not JSON', async () => {
    const { handleEndpoints } = await import('payload')
    const body = new FormData()
    body.set('_payload', '{')
    const headers = { 'x-test-user': cms.ids.administrator, host: 'site.test' }
    const request = new Request('http://site.test/api/cms/news', { method: 'POST', body, headers })
    const before = await cms.payload.count({ collection: 'news' })
    expect((await handleEndpoints({ config: cms.config, request })).status).toBe(400)
    expect(await cms.payload.count({ collection: 'news' })).toEqual(before)
  })

  it('are not read from the body of a POST that overrides its method with GET', async () => {
    const { handleEndpoints } = await import('payload')
    const headers = { 'X-Payload-HTTP-Method-Override': 'GET', 'content-type': 'application/json' }
    const body = JSON.stringify({ depth: 9, joins: { packages: { limit: 0 } } })
    const at = `http://site.test/api/cms/services/${cms.documents.services}`
    const request = new Request(at, { method: 'POST', headers, body })
    expect((await handleEndpoints({ config: cms.config, request })).status).toBe(400)
  })
})

describe('the lookup behind a response', () => {
  it('hides every colleague from support, however many there are (case 46)', async () => {
    const { payload } = cms
    const [role] = (await payload.find({ collection: 'roles', where: { slug: { equals: 'administrator' } } })).docs
    const made = await Promise.all(
      Array.from({ length: 15 }, (_, at) =>
        payload.create({
          collection: 'users',
          data: {
            username: `colleague-${at}`,
            email: `colleague-${at}@example.com`,
            role: [role?.id ?? ''],
            verified: true,
            invoiceType: 'electronic',
            language: 'hu',
          },
        }),
      ),
    )
    const { text } = await get('support', '/users?limit=100')
    expect(text).not.toContain('colleague-')
    await payload.delete({ collection: 'users', where: { id: { in: made.map(({ id }) => id) } } })
  })

  it('returns every related document, however many there are', async () => {
    const { payload } = cms
    const { id: _id, ...sample } = await payload.findByID({
      collection: 'computers',
      id: cms.documents.computers ?? '',
      depth: 0,
    })
    const made = await Promise.all(
      Array.from({ length: 15 }, (_, at) =>
        payload.create({
          collection: 'computers',
          data: { ...sample, name: `More ${at}`, url: `https://n${at}.example.com` },
        }),
      ),
    )
    const service = cms.documents.services ?? ''
    const machine = made.map(({ id }) => id)
    await payload.update({ collection: 'services', id: service, data: { machine } })
    const answer = (await get('administrator', `/services/${service}?depth=1`)).json()
    const machines = answer['machine'] as unknown[]
    expect(machines.filter((each) => typeof each === 'object')).toHaveLength(15)
  })
})
