import { handleEndpoints } from 'payload'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { KnownErrorRow } from '../../../src/contracts/cms-api/rows.ts'
import { type CmsHarness, startCms, testUserHeader } from './cms-harness.ts'

vi.mock('../../../src/identity/dependencies.ts', () => import('./test-identity.ts'))

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

type Sent = { method: string; path: string; data?: object; language?: string }
async function send({ method, path, data, language = 'en' }: Sent): Promise<{ status: number; text: string }> {
  const request = new Request(`http://site.test/api/cms/${path}`, {
    method,
    headers: {
      host: 'site.test',
      'content-type': 'application/json',
      'accept-language': language,
      [testUserHeader]: cms.ids.administrator,
    },
    ...(data ? { body: JSON.stringify(data) } : {}),
  })
  const response = await handleEndpoints({ config: cms.config, request })
  return { status: response.status, text: await response.text() }
}

const save = (data: object, language = 'en') =>
  send({ method: 'PATCH', path: `known-errors/${cms.documents['known-errors']}?locale=en`, data, language })

const shown = async () => {
  const { rows } = await views.query('SELECT * FROM cms_api.known_errors WHERE id = $1', [
    cms.documents['known-errors'],
  ])
  return rows.map((row) => KnownErrorRow.parse(row))
}

const VALID = { pattern: 'the oven is .{1,9} cold', examples: '[ERR] The oven is too cold', counterExamples: '' }

describe("staff's rules", () => {
  it('reach the control plane as saved, with texts in three languages, while they are active', async () => {
    const templates = [cms.documents['templates']]
    const texts = { title: 'Cold oven', explanation: 'Heat it.' }
    expect(await save({ ...VALID, ...texts, templates, actions: ['files', 'modification'] })).toMatchObject({
      status: 200,
    })
    const [row] = await shown()
    expect(row).toMatchObject({ pattern: VALID.pattern, actions: ['files', 'modification'], template_ids: templates })
    expect(row?.title.en).toBe('Cold oven')
    // The harness made it in the content's default language.
    expect(row?.title.hu).toBe('Sample')
    expect(row?.title.de).toBe('Sample')
    expect(await save({ active: false })).toMatchObject({ status: 200 })
    expect(await shown()).toEqual([])
    expect(await save({ active: true, templates: [] })).toMatchObject({ status: 200 })
    expect((await shown())[0]?.template_ids).toEqual([])
  })

  it.each([
    ['(a{1,9}){1,9} fails', 'cannot repeat'],
    ['fails.*', '.{0,80}'],
    [String.raw`(oven) \1`, String.raw`\1`],
    ['(?<!x)oven', '(?<!…)'],
    ['(?:oven|oven){2}', '(?:…)?'],
    ['.{1,9}', 'three plain characters'],
  ])('a pattern that could hold up a page is refused: %s', async (pattern, said) => {
    const { status, text } = await save({ ...VALID, pattern })
    expect(status).toBe(400)
    expect(JSON.parse(text).errors[0].data.errors[0].message).toContain(said)
  })

  it('an example that raises nothing, or a counter-example that does, is refused in the language of the editor', async () => {
    const missed = await save({ ...VALID, examples: 'The oven is warm' }, 'hu')
    expect(missed).toMatchObject({ status: 400 })
    expect(missed.text).toContain('Erre a sorra nem jelenik meg: The oven is warm')
    const raised = await save({ ...VALID, counterExamples: 'warm\nThe oven is so cold' }, 'de')
    expect(raised).toMatchObject({ status: 400 })
    expect(raised.text).toContain('Diese Zeile löst die Karte aus: The oven is so cold')
    expect(await save({ ...VALID, examples: '' })).toMatchObject({ status: 400 })
    expect(await save({ ...VALID, counterExamples: 'The oven is warm' })).toMatchObject({ status: 200 })
  })

  it('a pattern alone cannot be changed so that the saved examples no longer fit', async () => {
    expect(await save(VALID)).toMatchObject({ status: 200 })
    expect(await save({ pattern: 'the kettle is cold' })).toMatchObject({ status: 400 })
    expect((await shown())[0]?.pattern).toBe(VALID.pattern)
  })

  it('keep their templates: without it a rule would be for servers of all', async () => {
    const { id } = await cms.payload.create({
      collection: 'templates',
      data: {
        slug: 'own',
        name: 'Own',
        runtimes: ['process'],
        startupProgram: [{ value: 'node' }],
        startupText: 'ready',
        stopCommand: '^C',
        requiredPorts: 1,
      },
    })
    expect(await save({ ...VALID, templates: [id] })).toMatchObject({ status: 200 })
    const refused = await send({ method: 'DELETE', path: `templates/${id}` })
    expect(refused).toMatchObject({ status: 409 })
    expect(refused.text).toContain('known errors use it')
    expect((await shown())[0]?.template_ids).toEqual([id])
    expect(await save({ templates: [] })).toMatchObject({ status: 200 })
    expect(await send({ method: 'DELETE', path: `templates/${id}` })).toMatchObject({ status: 200 })
  })
})
