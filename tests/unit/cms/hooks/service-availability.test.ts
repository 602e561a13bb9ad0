import type { FieldHookArgs, PayloadRequest } from 'payload'
import { expect, test, vi } from 'vitest'
import { showAvailability } from '../../../../src/cms/hooks/service-availability.ts'

const ID = '01890000-0000-7000-8000-000000000001'
const needsDocker = {
  id: ID,
  category: 'gameServer',
  runtimes: ['docker'],
  images: [],
  installation_image: null,
  nodes: ['process'],
}

/** A request of a person with the role, on a database that answers these rows. */
const requestOf = ({
  isAdmin,
  row = needsDocker,
  language = 'en',
}: {
  isAdmin: boolean
  row?: object
  language?: string
}) => {
  const execute = vi
    .fn<() => Promise<{ rows: object[] }>>()
    .mockResolvedValueOnce({ rows: [{ there: true }] })
    .mockResolvedValue({ rows: [row] })
  const user = { grants: { isAdmin, isSupport: true } }
  return {
    context: {},
    i18n: { language },
    payload: { db: { drizzle: { execute } } },
    user,
  } as unknown as PayloadRequest
}
const read = (req: PayloadRequest) => showAvailability({ data: { id: ID }, req } as unknown as FieldHookArgs)

test('an administrator reads why a service cannot be ordered, in the language of the admin', async () => {
  expect(await read(requestOf({ isAdmin: true }))).toBe('Its template needs Docker, which none of its computers has.')
  expect(await read(requestOf({ isAdmin: true, language: 'hu' }))).toMatch(/Docker kell/)
  const orderable = { ...needsDocker, runtimes: ['process'] }
  expect(await read(requestOf({ isAdmin: true, row: orderable }))).toBe('It can be ordered here.')
})

test('nobody else causes a query', async () => {
  const req = requestOf({ isAdmin: false })
  expect(await read(req)).toBeNull()
  expect(req.payload.db.drizzle.execute).not.toHaveBeenCalled()
})
