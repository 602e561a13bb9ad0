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

  it('returns one row of settings before any was saved', async () => {
    const { rows } = await client.query('SELECT * FROM cms_api.settings')
    expect(rows).toHaveLength(1)
    expect(CMS_API_VIEWS.settings.parse(rows[0])).toMatchObject({ ordering: true, registration: true })
  })
})

describe('migrateCms', () => {
  it('runs each migration once', async () => {
    expect(await migrateCms(database.url)).toEqual([])
  })
})
