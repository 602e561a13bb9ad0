import { expect, test, vi } from 'vitest'
import { SEE_AS_HEADER } from '#contracts/panel/see-as.ts'
import { createSeeing } from '../../../../src/lib/seeing/seeing.ts'

const seen = { serverId: 'server-1', id: 'person-1', name: 'anna' }

test('calls about servers say as whom the tab looks, this one and every other, and no other call does', () => {
  const seeing = createSeeing()
  expect(seeing.headersFor('/api/server/server-1/ws')).toEqual({})
  seeing.start(seen)
  expect(seeing.headersFor('/api/server/server-1/ws')).toEqual({ [SEE_AS_HEADER]: 'person-1' })
  expect(seeing.headersFor('/api/server/server-2/token')).toEqual({ [SEE_AS_HEADER]: 'person-1' })
  expect(seeing.headersFor('/api/user/me')).toEqual({})
  expect(seeing.headersFor('/api/auth/refresh')).toEqual({})
  seeing.stop()
  expect(seeing.headersFor('/api/server/server-1/ws')).toEqual({})
})

test('listeners hear each change once', () => {
  const seeing = createSeeing()
  const listener = vi.fn<() => void>()
  const forget = seeing.subscribe(listener)
  seeing.stop()
  expect(listener).toHaveBeenCalledTimes(0)
  seeing.start(seen)
  seeing.stop()
  expect([listener.mock.calls.length, seeing.get()]).toEqual([2, null])
  forget()
  seeing.start(seen)
  expect(listener).toHaveBeenCalledTimes(2)
})
