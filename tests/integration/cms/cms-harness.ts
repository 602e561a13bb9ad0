import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Payload, SanitizedConfig } from 'payload'
import { richText } from '../../../src/cms/seed/content/rich-text.ts'
import { createCmsDatabase } from '../../support/cms-database.ts'

export const people = ['anonymous', 'customer', 'support', 'administrator'] as const
export type Person = (typeof people)[number]

/** The header by which a test says who sends a request, in place of a session. */
export const testUserHeader = 'x-test-user'
/** The header by which a test says that this person has a second factor. */
export const testFactorHeader = 'x-test-factor'

export type Answer = { status: number; text: string; json: () => Record<string, unknown> }
export type Reader = { person: Person; language: string }
export type Send = (by: Person | Reader, route: string, body?: unknown) => Promise<Answer>

export type CmsHarness = {
  payload: Payload
  config: SanitizedConfig
  ids: Record<Exclude<Person, 'anonymous'> | 'stranger', string>
  documents: Record<string, string>
  /** `route` is `method path` below /api/cms, as in `get /users`. */
  send: Send
  close: () => Promise<void>
}

/** Values that must never leave through the API to somebody who may not see them. */
export const canaries = {
  email: 'canary-stranger@example.com',
  phone: '+36301234567',
  street: 'Kanári utca 7.',
  proxmox: 'https://canary-proxmox.example.com',
  smtpUser: 'canary-smtp-user',
  smtpSecret: 'sealed:canary:AAAA',
} as const

const createPeople = async (payload: Payload) => {
  const role = (slug: string, isAdmin: boolean, isSupport: boolean) =>
    payload.create({ collection: 'roles', data: { slug, name: slug, isAdmin, isSupport, active: true } })
  const administrator = await role('administrator', true, false)
  const support = await role('support', false, true)
  const user = async (username: string, roles: string[], email = `${username}@example.com`) => {
    const isStaff = roles.length > 0
    const contact = isStaff ? {} : { phoneNumber: canaries.phone, streetAndHouseNumber: canaries.street }
    const data = { username, email, role: roles, verified: true, contact }
    return (await payload.create({ collection: 'users', data: { ...data, invoiceType: 'electronic', language: 'hu' } }))
      .id
  }
  return {
    administrator: await user('operator', [administrator.id]),
    support: await user('helper', [support.id]),
    customer: await user('anna', []),
    stranger: await user('stranger', [], canaries.email),
  }
}

const createDocuments = async (payload: Payload): Promise<Record<string, string>> => {
  const template = await payload.create({
    collection: 'templates',
    data: {
      slug: 'sample',
      name: 'Sample',
      runtimes: ['process'],
      startupProgram: [{ value: 'node' }],
      startupText: 'ready',
      stopCommand: '^C',
      requiredPorts: 1,
    },
  })
  const computer = await payload.create({
    collection: 'computers',
    data: {
      name: 'Sample',
      ip: '192.0.2.1',
      url: 'https://node.example.com',
      proxmoxUrl: canaries.proxmox,
      availableMemoryMiB: 1024,
      storageMiB: 1024,
      cores: 1,
      startPort: 25_565,
      portCount: 10,
      orderable: true,
    },
  })
  const service = await payload.create({
    collection: 'services',
    data: {
      slug: 'sample',
      name: 'Sample',
      category: 'gameServer',
      orderable: true,
      highlighted: false,
      position: 1,
      serverTemplate: template.id,
      machine: [computer.id],
    },
  })
  const sizes = { pricePerMonthFt: 990, cpuPercent: 100, ramMiB: 1024, storageMiB: 2048 }
  const sample = { name: 'Sample', service: service.id, ...sizes, orderable: true, highlighted: false }
  const entry = await payload.create({ collection: 'packages', data: sample })
  const category = await payload.create({
    collection: 'ticket-categories',
    data: { slug: 'sample', name: 'Sample', active: true },
  })
  const reply = await payload.create({
    collection: 'canned-replies',
    data: { title: 'Sample', text: 'Hello {{customer}}' },
  })
  const item = await payload.create({
    collection: 'news',
    data: { title: 'Sample', description: 'Sample', published: true },
  })
  const guide = await payload.create({
    collection: 'guides',
    data: {
      title: 'Sample',
      slug: 'sample',
      topic: 'account',
      summary: 'Sample',
      body: richText([{ text: 'Sample' }]),
      position: 1,
      published: true,
    },
  })
  const post = await payload.create({
    collection: 'posts',
    data: {
      title: 'Sample',
      slug: 'sample',
      lead: 'Sample',
      body: richText([{ text: 'Sample' }]),
      kind: 'blog',
      author: 'Sample',
      _status: 'published',
    },
  })
  const message = await payload.create({
    collection: 'global-messages',
    data: { text: 'Sample', severity: 'info', audience: 'public' },
  })
  const voting = await payload.create({
    collection: 'votings',
    data: { question: 'Sample?', options: [{ text: 'Yes' }, { text: 'No' }], active: false },
  })
  const knownError = await payload.create({
    collection: 'known-errors',
    data: { title: 'Sample', explanation: 'Sample', pattern: 'sample failed', examples: 'A sample failed.' },
  })
  const coupon = await payload.create({
    collection: 'coupons',
    data: { name: 'Sample', code: 'SAMPLE', type: 'percentage', amount: 10, usage: 'once', active: true },
  })
  const spinCoupon = await payload.create({
    collection: 'spin-coupons',
    data: { code: 'SAMPLE', numberOfUses: 1, spins: 1, active: true },
  })
  const spare = await payload.create({ collection: 'roles', data: { slug: 'spare', name: 'Spare', active: false } })
  return {
    roles: spare.id,
    templates: template.id,
    computers: computer.id,
    services: service.id,
    packages: entry.id,
    'ticket-categories': category.id,
    'canned-replies': reply.id,
    news: item.id,
    guides: guide.id,
    posts: post.id,
    'global-messages': message.id,
    votings: voting.id,
    'known-errors': knownError.id,
    coupons: coupon.id,
    'spin-coupons': spinCoupon.id,
  }
}

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const createPicture = async (payload: Payload): Promise<string> => {
  const file = { data: onePixel, mimetype: 'image/png', name: 'sample.png', size: onePixel.length }
  return (await payload.create({ collection: 'media', data: { alt: 'Sample' }, file })).id
}

/** Starts Payload on a database of its own with one person of each kind and one document of each collection. */
export const startCms = async (): Promise<CmsHarness> => {
  const database = await createCmsDatabase()
  process.env.DATABASE_URL = database.url
  process.env.SECRETS_KEY = `test:${Buffer.alloc(32, 7).toString('base64')}`
  process.env.LOG_LEVEL = 'silent'
  const mediaFolder = mkdtempSync(join(tmpdir(), 'cms-media-'))
  process.env.MEDIA_DIR = mediaFolder
  const [{ getPayload, handleEndpoints }, { default: promised }] = await Promise.all([
    import('payload'),
    import('../../../payload.config.ts'),
  ])
  const config = await promised
  const payload = await getPayload({ config })
  const ids = await createPeople(payload)
  const documents = { ...(await createDocuments(payload)), media: await createPicture(payload), users: ids.stranger }
  await payload.db.pool.query(
    'INSERT INTO settings (id, smtp_username, smtp_password, created_at, updated_at) VALUES ($1, $2, $3, now(), now())',
    [ids.stranger, canaries.smtpUser, canaries.smtpSecret],
  )
  const send: Send = async (by, route, body) => {
    const { person, language } = typeof by === 'string' ? { person: by, language: undefined } : by
    const [method = 'get', path = '/'] = route.split(' ', 2)
    const headers = new Headers({ host: 'site.test', 'content-type': 'application/json' })
    if (person !== 'anonymous') headers.set(testUserHeader, ids[person])
    if (language !== undefined) headers.set('accept-language', language)
    const request = new Request(`http://site.test/api/cms${path}`, {
      method: method.toUpperCase(),
      headers,
      ...(body === undefined || method === 'get' ? {} : { body: JSON.stringify(body) }),
    })
    const response = await handleEndpoints({ config, request })
    const text = await response.text()
    return { status: response.status, text, json: () => JSON.parse(text) as Record<string, unknown> }
  }
  const close = async () => {
    await payload.destroy()
    await payload.db.pool.end()
    await database.drop()
    rmSync(mediaFolder, { recursive: true })
  }
  return { payload, config, ids, documents, send, close }
}
