import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startCms, type CmsHarness } from './cms-harness.ts'

vi.mock('../../../src/identity/dependencies.ts', () => import('./test-identity.ts'))

let cms: CmsHarness
beforeAll(async () => {
  cms = await startCms()
})
afterAll(() => cms.close())

const save = async (text: string, locale: 'en' | 'hu' | 'de' = 'en') =>
  cms.payload.create({ collection: 'canned-replies', locale, data: { title: 'Hello', text } })

it('keeps each language of a reply with its placeholders', async () => {
  const { id } = await save('Hello {{customer}}')
  const data = { title: 'Szia', text: 'Szia {{ customer }}, {{ticket}}' }
  await cms.payload.update({ collection: 'canned-replies', id, locale: 'hu', data })
  const found = await cms.payload.findByID({ collection: 'canned-replies', id, locale: 'all' })
  expect(found.text).toEqual({ en: 'Hello {{customer}}', hu: 'Szia {{ customer }}, {{ticket}}' })
})

it.each([
  ['Hello {{name}} and {{customer}}', '{{name}}'],
  ['Hello {{customer}', '{{'],
  ['   ', 'Write the reply.'],
  ['x'.repeat(20_001), 'At most 20000 characters.'],
])('refuses %j in words', async (text, said) => {
  const refused = await save(text).then(
    () => undefined,
    (fault: unknown) => fault,
  )
  expect(refused).toMatchObject({ data: { errors: [{ path: 'text', message: expect.stringContaining(said) }] } })
})
