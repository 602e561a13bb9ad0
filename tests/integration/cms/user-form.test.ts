import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startCms, type CmsHarness } from './cms-harness.ts'

vi.mock('../../../src/identity/dependencies.ts', () => import('./test-identity.ts'))

let cms: CmsHarness
beforeAll(async () => {
  cms = await startCms()
})
afterAll(() => cms.close())

const PRIVILEGES = ['role', 'verified', 'suspended', 'email']

const editable = async (person: 'administrator' | 'support', id: string) => {
  const answer = await cms.send(person, `post /users/access/${id}`, {})
  const { fields } = answer.json() as { fields: Record<string, { update?: boolean } | true> }
  return PRIVILEGES.filter((name) => {
    const field = fields[name]
    return field === true || field?.update === true
  })
}

it('the form of another account lets an administrator edit its privileges, their own does not', async () => {
  expect(await editable('administrator', cms.ids.stranger)).toEqual(PRIVILEGES)
  expect(await editable('administrator', cms.ids.administrator)).toEqual([])
  expect(await editable('support', cms.ids.stranger)).toEqual([])
})

it('an id in the body does not make an account somebody else’s', async () => {
  const body = { id: cms.ids.stranger, suspended: true, verified: false }
  const answer = await cms.send('administrator', `patch /users/${cms.ids.administrator}`, body)
  expect(answer.status).toBeLessThan(500)
  const stored = await cms.payload.findByID({ collection: 'users', id: cms.ids.administrator })
  expect(stored).toMatchObject({ id: cms.ids.administrator, verified: true })
  expect(stored.suspended).not.toBe(true)
})
