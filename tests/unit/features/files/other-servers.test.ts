import { expect, it } from 'vitest'
import type { Server } from '#contracts/http/server.ts'
import { otherServers } from '@/features/files/other-servers.ts'
import { shownServer } from '../../../factories/shown-server.ts'

const NOW_MS = Date.parse('2026-06-02T10:00:00Z')
const computer = { name: 'pest-1', url: 'https://pest-1.example.test', proxmox_url: null }
const here = shownServer({ computer })
const other = (change: Partial<Server> = {}) =>
  shownServer({
    id: '01890000-0000-7000-8000-0000000000cc',
    computer,
    permissions: ['file.list', 'file.create'],
    ...change,
  })
const offered = (server: Server) => otherServers([here, server], here, NOW_MS).length

it('files can go to another server on the same machine, where the reader may create files', () => {
  expect(otherServers([here, other()], here, NOW_MS).map(({ id }) => id)).toEqual([other().id])
  expect(offered(other({ computer: { ...computer, url: 'https://pest-2.example.test' } }))).toBe(0)
  expect(offered(other({ permissions: ['file.list'] }))).toBe(0)
  expect(offered(other({ permissions: ['file.create'] }))).toBe(0)
})

it('an expired or suspended server receives nothing, and an unknown machine is not the same one', () => {
  expect(offered(other({ suspended: true }))).toBe(0)
  expect(offered(other({ expiry: '2026-06-01T10:00:00.000Z' }))).toBe(0)
  const unknown = { ...computer, url: '' }
  expect(otherServers([other({ computer: unknown })], { ...here, computer: unknown }, NOW_MS)).toEqual([])
})
