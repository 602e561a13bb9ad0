import { handleEndpoints } from 'payload'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { TemplateRow } from '../../../src/contracts/cms-api/rows.ts'
import { up } from '../../../src/cms/migrations/20261121_074000_pinned_images.ts'
import { type CmsHarness, startCms, testUserHeader } from './cms-harness.ts'

vi.mock('../../../src/identity/dependencies.ts', () => import('./test-identity.ts'))

const DIGEST = `sha256:${'a'.repeat(64)}`
let cms: CmsHarness
let views: pg.Client
beforeAll(async () => {
  cms = await startCms()
  views = new pg.Client({ connectionString: process.env['DATABASE_URL'] })
  await views.connect()
})
afterAll(async () => {
  await views.end()
  await cms.close()
})

async function save(data: object, language = 'en'): Promise<{ status: number; text: string }> {
  const request = new Request(`http://site.test/api/cms/templates/${cms.documents['templates']}`, {
    method: 'PATCH',
    headers: {
      host: 'site.test',
      'content-type': 'application/json',
      'accept-language': language,
      [testUserHeader]: cms.ids.administrator,
    },
    body: JSON.stringify(data),
  })
  const response = await handleEndpoints({ config: cms.config, request })
  return { status: response.status, text: await response.text() }
}

const template = async () => {
  const { rows } = await views.query('SELECT * FROM cms_api.templates WHERE id = $1', [cms.documents['templates']])
  return TemplateRow.parse(rows[0])
}

const listOf = (...images: string[]) => ({ dockerImages: images.map((image) => ({ label: 'Node.js', image })) })

describe("a template's images", () => {
  it('reach the control plane as saved, without the whitespace of copied text', async () => {
    const saved = await save({
      ...listOf(`node@${DIGEST}`, ` ghcr.io/bakter/java:21@${DIGEST} `, '~bakter/game:1.0'),
      installationImage: `ghcr.io/bakter/installer@${DIGEST}`,
    })
    expect(saved).toMatchObject({ status: 200 })
    const row = await template()
    expect(row.docker_images.map(({ image }) => image)).toEqual([
      `node@${DIGEST}`,
      `ghcr.io/bakter/java@${DIGEST}`,
      '~bakter/game:1.0',
    ])
    expect(row.installation_image).toBe(`ghcr.io/bakter/installer@${DIGEST}`)
  })

  it.each([
    ['en', 'A digest is required'],
    ['hu', 'Digest szükséges'],
    ['de', 'Ein Digest ist nötig'],
  ])('cannot be named by tag, and staff read the reason in %s', async (language, sentence) => {
    const before = await template()
    for (const data of [listOf('node:24-bookworm-slim'), { installationImage: 'ghcr.io/bakter/installer:debian' }]) {
      const refused = await save(data, language)
      expect(refused.status).toBe(400)
      expect(refused.text).toContain(sentence)
    }
    expect(await template()).toEqual(before)
  })
})

describe('the migration of images', () => {
  it('gives the earlier demo content its digests and keeps the texts of staff', async () => {
    await save(listOf(`node@${DIGEST}`, '~bakter/game:1.0', `java@${DIGEST}`))
    const rename = (from: string, to: string) =>
      cms.payload.db.pool.query('UPDATE templates_docker_images SET image = $2 WHERE image = $1', [from, to])
    await rename(`node@${DIGEST}`, 'node:24-bookworm-slim')
    await rename(`java@${DIGEST}`, 'ghcr.io/pterodactyl/yolks:java_21')
    await up({ db: cms.payload.db.drizzle, payload: cms.payload, req: {} } as unknown as Parameters<typeof up>[0])
    const images = (await template()).docker_images.map(({ image }) => image)
    expect(images).toEqual([expect.stringMatching(/^node@sha256:6f7b03f7/), '~bakter/game:1.0'])
  })
})
