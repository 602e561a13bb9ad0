import { readdirSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { canaries, type CmsHarness, people, startCms } from './cms-harness.ts'

vi.mock('../../../src/identity/dependencies.ts', () => import('./test-identity.ts'))

let cms: CmsHarness

beforeAll(async () => {
  cms = await startCms()
})

afterAll(() => cms.close())

const docsOf = async (person: (typeof people)[number], route: string) => {
  const answer = await cms.send(person, route)
  return (answer.json().docs ?? []) as Record<string, unknown>[]
}

const variants = [
  '',
  '?depth=10',
  '?locale=all&depth=10',
  '?draft=true&showHiddenFields=true',
  '?limit=0&pagination=false',
  '?select[email]=true&select[contact]=true&select[proxmoxUrl]=true&select[smtp]=true',
  '?populate[users][email]=true&populate[computers][proxmoxUrl]=true&depth=2',
]

/** The canaries that each kind of person may see; support sees none, an administrator all but the sealed secret. */
const visible: Record<(typeof people)[number], readonly string[]> = {
  anonymous: [],
  customer: [canaries.phone, canaries.street],
  support: [],
  administrator: [canaries.email, canaries.phone, canaries.street, canaries.proxmox, canaries.smtpUser],
}

describe('a crawl of all documents', () => {
  it.each(people)('shows %s nothing that they may not see', async (person) => {
    const seen = new Set<string>()
    const roots = [
      ...cms.config.collections.flatMap(({ slug }) => [
        `/${slug}`,
        `/${slug}/${cms.documents[slug] ?? cms.ids.stranger}`,
      ]),
      ...cms.config.globals.map(({ slug }) => `/globals/${slug}`),
      '/users/me',
      '/access',
    ]
    for (const root of roots) {
      for (const variant of variants) {
        const { text } = await cms.send(person, `get ${root}${variant}`)
        for (const canary of Object.values(canaries)) if (text.includes(canary)) seen.add(canary)
      }
    }
    expect([...seen].sort()).toEqual([...visible[person]].sort())
  })
})

describe('a customer', () => {
  it('lists no account but their own', async () => {
    expect((await docsOf('customer', 'get /users?limit=100')).map((user) => user.id)).toEqual([cms.ids.customer])
  })

  it('finds and counts nobody else by any condition (case 31)', async () => {
    const { stranger, administrator, customer } = cms.ids
    const conditions = [
      `where[id][equals]=${stranger}`,
      `where[id][in]=${stranger},${administrator},${customer}`,
      `where[id][not_equals]=${customer}`,
      `where[or][0][id][equals]=${stranger}&where[or][1][username][exists]=true`,
      'where[username][like]=strang',
      'where[username][not_in]=anna',
      'where[createdAt][greater_than]=2000-01-01&depth=10&sort=-username',
    ]
    for (const condition of conditions) {
      const found = (await docsOf('customer', `get /users?${condition}`)).map((user) => user.id)
      expect(found.filter((id) => id !== customer)).toEqual([])
      const { totalDocs } = (await cms.send('customer', `get /users/count?${condition}`)).json()
      expect(totalDocs).toBe(found.length)
    }
  })

  it("finds the session's account at /users/me, with its contact data", async () => {
    const { user } = (await cms.send('customer', 'get /users/me')).json()
    expect(user).toMatchObject({ id: cms.ids.customer, contact: { phoneNumber: canaries.phone } })
  })

  it('does not find the stored address there: it would reveal whether it is another account’s (case 15)', async () => {
    for (const route of ['get /users/me', 'get /users?select[email]=true', `get /users/${cms.ids.customer}`]) {
      const { text } = await cms.send('customer', route)
      expect([text.includes(cms.ids.customer), text.includes('@')]).toEqual([true, false])
    }
  })

  it('changes nothing on any account', async () => {
    const accounts = async () => (await cms.payload.find({ collection: 'users', depth: 0, sort: 'id' })).docs
    const before = await accounts()
    for (const id of [cms.ids.customer, cms.ids.stranger]) {
      const answer = await cms.send('customer', `patch /users/${id}`, { verified: true, contact: { city: 'Pécs' } })
      expect(answer.status).toBe(403)
    }
    expect(await accounts()).toEqual(before)
  })

  it('sees services without the machines behind them', async () => {
    const [service] = await docsOf('customer', 'get /services?depth=2')
    expect(service).toMatchObject({ slug: 'sample' })
    expect(service).not.toHaveProperty('machine')
    // A relation to what one may not read stays an id.
    expect(service?.serverTemplate).toBe(cms.documents.templates)
  })

  it('does not see what cannot be ordered or is unpublished', async () => {
    await cms.payload.update({ collection: 'services', id: cms.documents.services ?? '', data: { orderable: false } })
    await cms.payload.update({ collection: 'news', id: cms.documents.news ?? '', data: { published: false } })
    expect(await docsOf('customer', 'get /services')).toEqual([])
    expect(await docsOf('anonymous', 'get /news')).toEqual([])
    expect(await docsOf('administrator', 'get /services')).toHaveLength(1)
    await cms.payload.update({ collection: 'services', id: cms.documents.services ?? '', data: { orderable: true } })
    await cms.payload.update({ collection: 'news', id: cms.documents.news ?? '', data: { published: true } })
  })
})

describe('support', () => {
  it('reads customers and itself, and not even the name of other staff (case 46)', async () => {
    const read = await docsOf('support', 'get /users?limit=100')
    expect(read.map((user) => user.id).sort()).toEqual([cms.ids.customer, cms.ids.stranger, cms.ids.support].toSorted())
    expect((await cms.send('support', `get /users/${cms.ids.administrator}`)).status).toBe(404)
    expect((await cms.send('support', 'get /users/count')).json()).toEqual({ totalDocs: 3 })
    expect(await docsOf('support', 'get /users?where[username][equals]=operator')).toEqual([])
    expect(await docsOf('administrator', 'get /users?limit=100')).toHaveLength(4)
  })

  it('reads accounts with their contact data masked', async () => {
    const [stranger] = await docsOf('support', `get /users?where[id][equals]=${cms.ids.stranger}`)
    expect(stranger).toMatchObject({ username: 'stranger', maskedContact: 'c•••@example.com, •••67' })
    expect(stranger).not.toHaveProperty('email')
    expect(stranger).not.toHaveProperty('role')
  })

  it.each(['where[email][like]=canary', 'where[contact.phoneNumber][like]=3630', 'where[role.name][like]=adm'])(
    'cannot search by a field it may not read: %s',
    async (query) => {
      expect((await cms.send('support', `get /users?${query}`)).status).toBe(400)
    },
  )

  it('learns nothing from an order by a field it may not read', async () => {
    const ids = async (query: string) => (await docsOf('support', `get /users?${query}`)).map((user) => user.id)
    const answer = await cms.send('support', 'get /users?sort=email')
    if (answer.status === 200) expect(await ids('sort=email')).toEqual(await ids('sort=-email'))
    else expect(answer.status).toBe(400)
  })
})

describe('an administrator', () => {
  it('gives an active role to somebody else, and no inactive one', async () => {
    const [active] = (await cms.payload.find({ collection: 'roles', where: { slug: { equals: 'support' } } })).docs
    const give = (role: unknown) => cms.send('administrator', `patch /users/${cms.ids.stranger}`, { role: [role] })
    const rolesNow = async () =>
      (await cms.payload.findByID({ collection: 'users', id: cms.ids.stranger, depth: 0 })).role ?? []
    const before = await rolesNow()
    const refused = await give(cms.documents.roles)
    expect([refused.status, await rolesNow()]).toEqual([409, before])
    expect((await give(active?.id)).status).toBe(200)
    expect(await rolesNow()).toEqual([active?.id])
  })

  it('never reads the mail password, and an empty one keeps it', async () => {
    const answer = await cms.send('administrator', 'post /globals/settings', {
      hostName: 'Bakter',
      smtp: { password: '' },
    })
    expect(answer.text).not.toContain('sealed:')
    const { rows } = await cms.payload.db.pool.query('SELECT smtp_password FROM settings')
    expect(rows).toEqual([{ smtp_password: canaries.smtpSecret }])
  })

  it('can enter the mail password, which nobody sees afterwards', async () => {
    // All of its fields: the admin hides one that may not be read, and then nobody could fill it in.
    const permissions = (await cms.send('administrator', 'get /access')).json()
    expect(permissions).toMatchObject({ globals: { settings: { fields: true } } })
    const entered = { hostName: 'Bakter', smtp: { password: 'canary-entered-secret' } }
    const written = await cms.send('administrator', 'post /globals/settings', entered)
    const read = await cms.send('administrator', 'get /globals/settings')
    for (const { status, text } of [written, read]) {
      expect(status).toBe(200)
      expect(text).not.toMatch(/sealed:|canary-entered-secret/)
    }
    const stored = async () =>
      (await cms.payload.db.pool.query<{ smtp_password: string }>('SELECT smtp_password FROM settings')).rows[0]
    const kept = await stored()
    expect(kept?.smtp_password).toMatch(/^sealed:/)
    // The form sends this when nothing was typed.
    await cms.send('administrator', 'post /globals/settings', { hostName: 'Bakter', smtp: { password: null } })
    expect(await stored()).toEqual(kept)
    await cms.payload.db.pool.query('UPDATE settings SET smtp_password = $1', [canaries.smtpSecret])
  })
})

describe('a document in use (specification section 5)', () => {
  it('is kept: a role that users have, a template that services use', async () => {
    const [role] = (await cms.payload.find({ collection: 'roles', where: { slug: { equals: 'administrator' } } })).docs
    for (const path of [`/roles/${role?.id}`, `/templates/${cms.documents.templates}`]) {
      const answer = await cms.send('administrator', `delete ${path}`)
      expect([answer.status, answer.text]).toEqual([409, expect.stringContaining("can't be deleted")])
      expect((await cms.send('administrator', `get ${path}`)).status).toBe(200)
    }
    await cms.send('administrator', 'delete /roles?where[slug][equals]=administrator')
    expect((await cms.send('administrator', `get /roles/${role?.id}`)).status).toBe(200)
  })

  it('can be deleted once nobody uses it', async () => {
    const { id } = await cms.payload.create({
      collection: 'roles',
      data: { slug: 'unused', name: 'Unused', active: true },
    })
    expect((await cms.send('administrator', `delete /roles/${id}`)).status).toBe(200)
    expect((await cms.send('administrator', `get /roles/${id}`)).status).toBe(404)
  })
})

describe('an inactive role', () => {
  it('grants nothing from the next request on', async () => {
    expect((await cms.send('administrator', 'get /roles')).status).toBe(200)
    await cms.payload.db.pool.query(`UPDATE roles SET active = false WHERE slug = 'administrator'`)
    expect((await cms.send('administrator', 'get /roles')).status).toBe(403)
    await cms.payload.db.pool.query(`UPDATE roles SET active = true WHERE slug = 'administrator'`)
  })
})

describe('a query over HTTP', () => {
  it.each(['limit=0', 'limit=100000', 'limit=-5', 'pagination=false&limit=0', 'limit=abc'])(
    'with %s gets at most 100 rows',
    async (query) => {
      const { limit } = (await cms.send('administrator', `get /roles?${query}`)).json()
      expect(limit).toBeGreaterThanOrEqual(1)
      expect(limit).toBeLessThanOrEqual(100)
    },
  )

  it('gets at most 100 joined rows for each row', async () => {
    const { payload } = cms
    const { id, ...sample } = await payload.findByID({
      collection: 'packages',
      id: cms.documents.packages ?? '',
      depth: 0,
    })
    const made = await Promise.all(
      Array.from({ length: 105 }, (_, at) =>
        payload.create({
          collection: 'packages',
          data: { ...sample, name: `Joined ${at}` },
          context: { disableRevalidate: true },
        }),
      ),
    )
    for (const query of ['joins[packages][limit]=0', 'joins[packages][limit]=100000', 'joins[packages][page]=-1']) {
      const [service] = await docsOf('anonymous', `get /services?${query}`)
      const { docs } = (service as { packages: { docs: unknown[] } }).packages
      expect(docs.length, query).toBeGreaterThanOrEqual(1)
      expect(docs.length, query).toBeLessThanOrEqual(100)
    }
    await payload.delete({ collection: 'packages', where: { id: { in: made.map((entry) => entry.id) } } })
    expect(await docsOf('administrator', 'get /packages')).toMatchObject([{ id }])
  })

  it.each(['where=x', 'where[slug][equals]=%00', 'joins[packages][where]=x'])(
    'that means nothing is refused before it reaches the database: %s',
    async (query) => {
      const answer = await cms.send('anonymous', `get /services?${query}`)
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('could not be understood')])
    },
  )

  it('for a page before the first gets the first', async () => {
    expect((await cms.send('anonymous', 'get /services?page=-1')).json()).toMatchObject({ page: 1 })
  })

  it('goes two levels deep at most', async () => {
    const [entry] = await docsOf('administrator', 'get /packages?depth=10')
    const service = entry?.service as { machine: unknown[]; serverTemplate: { variables: unknown } }
    expect(service.serverTemplate).toHaveProperty('slug', 'sample')
    const two = await docsOf('administrator', 'get /packages?depth=2')
    expect(await docsOf('administrator', 'get /packages?depth=99')).toEqual(two)
  })

  it('is clamped also when it arrives as a POST that overrides its method with GET', async () => {
    const { handleEndpoints } = await import('payload')
    const headers = { 'X-Payload-HTTP-Method-Override': 'GET', 'content-type': 'application/x-www-form-urlencoded' }
    const ask = async (path: string) => {
      const request = new Request(`http://site.test/api/cms${path}`, {
        method: 'POST',
        headers,
        body: 'limit=0&depth=9',
      })
      const response = await handleEndpoints({ config: cms.config, request })
      return { status: response.status, body: (await response.json()) as { limit?: number; docs?: unknown } }
    }
    expect((await ask('/users')).status).toBe(403)
    const { status, body } = await ask('/packages')
    const two = await docsOf('anonymous', 'get /packages?depth=2')
    expect({ status, limit: body.limit, docs: body.docs }).toEqual({ status: 200, limit: 100, docs: two })
  })
})

describe('a picture', () => {
  it('is served by its name, and a file that the collection does not list is not', async () => {
    writeFileSync(`${process.env.MEDIA_DIR}/stray.png`, 'stray')
    expect((await cms.send('anonymous', 'get /media/file/sample.png')).status).toBe(200)
    expect((await cms.send('anonymous', 'get /media/file/stray.png')).status).toBe(403)
    expect((await cms.send('anonymous', 'get /media/file/..%2f..%2fpackage.json')).status).not.toBe(200)
  })

  it.each([
    ['image/svg+xml', 'evil.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['text/html', 'evil.html', '<script>alert(1)</script>'],
    ['image/png', 'evil.png', '<script>alert(1)</script>'],
  ])('of type %s (%s) is refused', async (type, name, content) => {
    const { handleEndpoints } = await import('payload')
    const form = new FormData()
    form.set('file', new File([content], name, { type }))
    form.set('_payload', JSON.stringify({ alt: 'evil' }))
    const headers = { 'x-test-user': cms.ids.administrator, host: 'site.test' }
    const request = new Request('http://site.test/api/cms/media', { method: 'POST', body: form, headers })
    const listed = () => cms.payload.find({ collection: 'media', depth: 0, sort: 'id' })
    const before = [await listed(), readdirSync(process.env.MEDIA_DIR ?? '')]
    expect((await handleEndpoints({ config: cms.config, request })).status).toBe(400)
    expect([await listed(), readdirSync(process.env.MEDIA_DIR ?? '')]).toEqual(before)
  })
})

describe('a cookie session', () => {
  it('does not count on a request from a foreign page', async () => {
    const { handleEndpoints } = await import('payload')
    const me = async (origin: string | null) => {
      const headers = new Headers({ host: 'site.test', 'x-test-user': cms.ids.customer })
      if (origin !== null) headers.set('origin', origin)
      const request = new Request('http://site.test/api/cms/users/me', { headers })
      const body = (await (await handleEndpoints({ config: cms.config, request })).json()) as { user: unknown }
      return body.user !== null
    }
    expect(await me(null)).toBe(true)
    expect(await me('http://site.test')).toBe(true)
    for (const origin of ['https://evil.example', 'null', 'http://site.test.evil.example']) {
      expect(await me(origin)).toBe(false)
    }
  })
})
