import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAdministrator } from '../../../src/cms/make-administrator.ts'
import { moveComputer } from '../../../src/cms/seed/move-computer.ts'
import { questions } from '../../../src/cms/seed/content/questions.ts'
import { seedDemo, type DemoSeed } from '../../../src/cms/seed/seed-demo.ts'
import { imageReferenceOf } from '../../../src/contracts/agent/image-reference.ts'
import { CMS_API_VIEWS, PackageRow, PersonRow, ServiceRow, TemplateRow } from '../../../src/contracts/cms-api/rows.ts'
import { createCmsDatabase } from '../../support/cms-database.ts'
import type { TestDatabase } from '../../support/postgres.ts'

let database: TestDatabase
let client: pg.Client
const passwords = new Map<string, string>()

const demo = (): DemoSeed => ({
  databaseUrl: database.url,
  accounts: [
    { username: 'operator', email: 'operator@example.com', password: 'first', roles: ['administrator'] },
    { username: 'helper', email: 'helper@example.com', password: 'second', roles: ['support'] },
    { username: 'anna', email: 'anna@example.com', password: 'third', roles: [] },
  ],
  computer: {
    name: 'demo-1',
    ip: '127.0.0.1',
    url: 'http://127.0.0.1:8080',
    availableMemoryMiB: 4096,
    storageMiB: 20_480,
    cores: 2,
    startPort: 25_565,
    portCount: 20,
  },
  siteUrl: 'http://127.0.0.1:3000',
  setPassword: ({ userId, password }) => {
    passwords.set(userId, password)
    return Promise.resolve()
  },
})

const rowsOf = async (view: string) => (await client.query(`SELECT * FROM cms_api.${view}`)).rows

beforeAll(async () => {
  database = await createCmsDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await seedDemo(demo())
  // Nobody of the demo content has left or is suspended, and its staff has no rule and no category of tickets of its own.
  await client.query(
    `UPDATE public.users SET account_state = 'erased', suspended = true WHERE id = (SELECT max(id::text)::uuid FROM public.users)`,
  )
  await client.query(
    `WITH rule AS (
       INSERT INTO public.known_errors (id, pattern, examples)
       VALUES ('0192aaaa-0000-7000-8000-0000000000e1', 'oven is cold', 'The oven is cold') RETURNING id)
     INSERT INTO public.known_errors_locales (title, explanation, _locale, _parent_id)
     SELECT 'Cold oven', 'Heat it first.', 'en', id FROM rule`,
  )
  await client.query(
    `WITH category AS (
       INSERT INTO public.ticket_categories (id, slug) VALUES ('0192aaaa-0000-7000-8000-0000000000e2', 'ovens') RETURNING id)
     INSERT INTO public.ticket_categories_locales (name, _locale, _parent_id) SELECT 'Ovens', 'en', id FROM category`,
  )
})

afterAll(async () => {
  await client.end()
  await database.drop()
})

describe('the demo content', () => {
  it.each(Object.entries(CMS_API_VIEWS))('gives %s rows in the form of the contract', async (view, schema) => {
    const rows = await rowsOf(view)
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(schema.parse(row)).toEqual(row)
  })

  it('has the starting prices of the specification', async () => {
    const services = (await rowsOf('services')).map((row) => ServiceRow.parse(row))
    const prices = Object.fromEntries(services.map((service) => [service.slug, service.starting_price_ft]))
    expect(prices).toMatchObject({ csgo: 580, minecraft: 990, fivem: 1200, arma: 1500 })
    expect(services.map((service) => service.slug).sort()).toEqual([
      'arma',
      'bot',
      'conan-exiles',
      'csgo',
      'fivem',
      'minecraft',
      'mta',
      'vps',
    ])
  })

  it('gives the Minecraft package of 990 Ft enough memory for its game', async () => {
    const minecraft = (await rowsOf('services')).find((row) => row.slug === 'minecraft')
    const packages = (await rowsOf('packages')).map((row) => PackageRow.parse(row))
    const small = packages.find((row) => row.service_id === minecraft.id && row.price_per_month_ft === 990)
    expect(small?.storage_mib).toBeGreaterThanOrEqual(2048)
    expect(small?.memory_mib).toBeGreaterThanOrEqual(1024)
  })

  it('has two templates that run without Docker; the others state that they need it and the internet', async () => {
    const templates = (await rowsOf('templates')).map((row) => TemplateRow.parse(row))
    const here = templates.filter((template) => template.runtimes.includes('process'))
    expect(here.map((template) => template.slug).sort()).toEqual(['minecraft-flying-squid', 'nodejs-application'])
    for (const template of templates.filter((each) => !here.includes(each))) {
      expect(template).toMatchObject({ runtimes: ['docker'], needs_internet: true })
      expect(template.description.en).toMatch(/Docker.*internet/)
    }
  })

  it('names every image by its digest, and has one for each template that runs here', async () => {
    const templates = (await rowsOf('templates')).map((row) => TemplateRow.parse(row))
    for (const template of templates) {
      const images = template.docker_images.map(({ image }) => imageReferenceOf(image)?.kind)
      expect(images).toEqual(template.runtimes.includes('process') ? ['pinned'] : [])
    }
  })

  it('is written in three languages', async () => {
    for (const view of ['services', 'packages', 'templates']) {
      for (const { description } of await rowsOf(view)) {
        expect(Object.values(description).every((text) => typeof text === 'string' && text !== '')).toBe(true)
      }
    }
    const counts = await client.query<{ locale: string; answers: string }>(
      'SELECT _locale AS locale, count(*) AS answers FROM landing_faq_locales GROUP BY 1 ORDER BY 1',
    )
    expect(counts.rows.map((row) => Number(row.answers))).toEqual([
      questions.length,
      questions.length,
      questions.length,
    ])
  })

  it("creates the accounts with their roles and the caller's passwords", async () => {
    const people = (await rowsOf('people')).map((row) => PersonRow.parse(row))
    const flags = Object.fromEntries(people.map((row) => [row.username, [row.is_admin, row.is_support]]))
    expect(flags).toEqual({ operator: [true, true], helper: [false, true], anna: [false, false] })
    const anna = people.find((row) => row.username === 'anna')
    expect(passwords.get(anna?.id ?? '')).toBe('third')
  })
})

describe('an inactive role', () => {
  it('grants nothing', async () => {
    await client.query(`UPDATE roles SET active = false WHERE slug = 'support'`)
    const people = (await rowsOf('people')).map((row) => PersonRow.parse(row))
    expect(people.find((row) => row.username === 'helper')).toMatchObject({ is_admin: false, is_support: false })
    await client.query(`UPDATE roles SET active = true WHERE slug = 'support'`)
  })
})

describe('the uptime page', () => {
  const statusUrl = async () => (await client.query('SELECT status_url FROM navigation')).rows[0]?.status_url

  it('is the page for support calls, until staff enter another', async () => {
    expect(await statusUrl()).toBe('http://127.0.0.1:3000/test')
    await client.query(`UPDATE navigation SET status_url = 'https://status.example'`)
    await client.query(`DELETE FROM cms_api.seeds WHERE name = 'status page'`)
    await seedDemo(demo())
    expect(await statusUrl()).toBe('https://status.example')
  })
})

describe('a second run', () => {
  it('keeps the changes of staff, moves the node to its new address and sets the passwords again', async () => {
    await client.query(`UPDATE packages SET price_per_month_ft = 1090 WHERE price_per_month_ft = 990`)
    await client.query(`DELETE FROM news`)
    const again = demo()
    const computer = again.computer && { ...again.computer, url: 'http://127.0.0.1:9090', availableMemoryMiB: 1 }
    const result = await seedDemo({ ...again, ...(computer ? { computer } : {}) })
    expect(result.content).toBe('kept')
    expect(await rowsOf('computers')).toEqual([
      expect.objectContaining({ id: result.computerId, url: 'http://127.0.0.1:9090', available_memory_mib: 4096 }),
    ])
    expect((await client.query('SELECT 1 FROM news')).rowCount).toBe(0)
    expect((await rowsOf('packages')).map((row) => row.price_per_month_ft)).toContain(1090)
    expect(await rowsOf('people')).toHaveLength(3)
  })
})

describe('a start at another address', () => {
  it('moves the node, keeps the changes of staff, and does not restore a deleted one', async () => {
    await client.query(`UPDATE computers SET name = 'attic', cores = 7`)
    const { id } = (await rowsOf('computers'))[0]
    const move = { ip: '::1', url: 'http://[::1]:9191', startPort: 30_000, portCount: 5 }
    await moveComputer(database.url, id, move)
    expect(await rowsOf('computers')).toEqual([
      expect.objectContaining({ id, ip: '::1', url: 'http://[::1]:9191', start_port: 30_000, port_count: 5, cores: 7 }),
    ])
    await client.query('DELETE FROM computers')
    await moveComputer(database.url, id, move)
    expect(await rowsOf('computers')).toEqual([])
  })
})

describe('the first administrator', () => {
  const anna = async () => (await rowsOf('people')).find((row) => row.username === 'anna')

  it('is an account that keeps its other roles, by user name or e-mail address, and no other account', async () => {
    expect(await makeAdministrator(database.url, 'nobody')).toBeUndefined()
    expect(await anna()).toMatchObject({ is_admin: false, is_support: false })
    expect(await makeAdministrator(database.url, ' ANNA@example.com ')).toBe('anna')
    expect(await makeAdministrator(database.url, 'anna')).toBe('anna')
    expect(await anna()).toMatchObject({ is_admin: true })
    expect(await makeAdministrator(database.url, 'helper')).toBe('helper')
    const roles = await client.query(
      `SELECT r.slug FROM users_rels l JOIN users u ON u.id = l.parent_id JOIN roles r ON r.id = l.roles_id
       WHERE u.username = 'helper' ORDER BY 1`,
    )
    expect(roles.rows).toEqual([{ slug: 'administrator' }, { slug: 'support' }])
  })

  it('gets a role also where none was created', async () => {
    await client.query(`DELETE FROM users_rels`)
    await client.query(`DELETE FROM roles`)
    await makeAdministrator(database.url, 'anna')
    expect(await anna()).toMatchObject({ is_admin: true })
  })
})
