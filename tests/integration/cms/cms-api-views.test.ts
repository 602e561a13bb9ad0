import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrateCms } from '../../../src/cms/migrate.ts'
import { CMS_API_VIEWS } from '../../../src/contracts/cms-api/rows.ts'
import { createCmsDatabase } from '../../support/cms-database.ts'
import type { TestDatabase } from '../../support/postgres.ts'

let database: TestDatabase
let client: pg.Client

beforeAll(async () => {
  database = await createCmsDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})

afterAll(async () => {
  await client.end()
  await database.drop()
})

describe('schema cms_api', () => {
  it('holds the views of the contract and no others', async () => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.views WHERE table_schema = 'cms_api' ORDER BY 1`,
    )
    expect(rows.map((row) => row.name)).toEqual(Object.keys(CMS_API_VIEWS).sort())
  })

  it.each(Object.entries(CMS_API_VIEWS))('%s has the columns of its row schema', async (view, schema) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'cms_api' AND table_name = $1`,
      [view],
    )
    expect(rows.map((row) => row.name).sort()).toEqual(Object.keys(schema.shape).sort())
  })

  // The control plane has these rights and no others (its migration 0010): it reads neither public nor identity.
  it('is read whole by a role that may read nothing else', async () => {
    await client.query('BEGIN')
    try {
      await client.query(`CREATE ROLE cms_api_reader_${process.pid}`)
      await client.query(`GRANT USAGE ON SCHEMA cms_api TO cms_api_reader_${process.pid}`)
      await client.query(`GRANT SELECT ON ALL TABLES IN SCHEMA cms_api TO cms_api_reader_${process.pid}`)
      await client.query(`SET LOCAL ROLE cms_api_reader_${process.pid}`)
      for (const view of Object.keys(CMS_API_VIEWS)) await client.query(`SELECT * FROM cms_api.${view}`)
      await expect(client.query('SELECT 1 FROM identity.passkeys')).rejects.toThrow('permission denied')
    } finally {
      await client.query('ROLLBACK')
    }
  })

  it('returns one row of settings before any was saved', async () => {
    const { rows } = await client.query('SELECT * FROM cms_api.settings')
    expect(rows).toHaveLength(1)
    expect(CMS_API_VIEWS.settings.parse(rows[0])).toMatchObject({ ordering: true, registration: true })
  })
})

it('the described files of a template are a list, whatever blanks surround their text', async () => {
  const texts = [null, '', ' \r\n\t', '\n[{"path": "a.yml"}]\r\n']
  for (const [index, text] of texts.entries()) {
    await client.query(
      `INSERT INTO public.templates (id, slug, name, startup_text, stop_command, described_files)
       VALUES (gen_random_uuid(), $1, $1, 'run', 'stop', $2)`,
      [`described-${index}`, text],
    )
  }
  const { rows } = await client.query<{ described_files: unknown }>(
    `SELECT f.described_files FROM cms_api.template_files f JOIN public.templates t ON t.id = f.id
     WHERE t.slug LIKE 'described-%' ORDER BY t.slug`,
  )
  expect(rows.map((row) => row.described_files)).toEqual([[], [], [], [{ path: 'a.yml' }]])
})

describe('the pictures of services', () => {
  const picturesOf = async (slug: string) => {
    const { rows } = await client.query(
      `SELECT p.banner, p.icon FROM cms_api.service_pictures p JOIN public.services s ON s.id = p.id WHERE s.slug = $1`,
      [slug],
    )
    return rows[0]
  }
  const addService = (slug: string, drawing: string | null, bannerId: string | null) =>
    client.query(
      `INSERT INTO public.services (id, slug, category, drawing, banner_id) VALUES (gen_random_uuid(), $1, 'gameServer', $2, $3)`,
      [slug, drawing, bannerId],
    )

  it('are its drawing, without one none, and a picture of staff replaces either', async () => {
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO public.media (id, filename) VALUES (gen_random_uuid(), 'own.webp') RETURNING id`,
    )
    await addService('drawn', 'conan', null)
    await addService('bare', null, null)
    await addService('own', 'bot', rows[0]?.id ?? '')
    expect(await picturesOf('drawn')).toEqual({
      banner: '/pictures/banners/conan.svg',
      icon: '/pictures/icons/conan.svg',
    })
    expect(await picturesOf('bare')).toEqual({ banner: null, icon: null })
    expect(await picturesOf('own')).toEqual({ banner: '/api/cms/media/file/own.webp', icon: '/pictures/icons/bot.svg' })
  })
})

describe('migrateCms', () => {
  it('runs each migration once', async () => {
    expect(await migrateCms(database.url)).toEqual([])
  })
})
