import { describe, expect, it } from 'vitest'
import { archiveAddress, lookAtArchive } from '../../../../src/features/server-settings/use-archive.ts'

const PAGE = 'https://bakter.test/panel/1/settings'
const access = (url: string) => ({ url, path: '/servers/1/archive', token: 'a.b-c_d' })

describe('the address of an archive', () => {
  it.each([
    ['https://node.test:8443', 'https://node.test:8443/servers/1/archive?token=a.b-c_d'],
    ['https://node.test/agent/', 'https://node.test/agent/servers/1/archive?token=a.b-c_d'],
    ['wss://node.test', 'https://node.test/servers/1/archive?token=a.b-c_d'],
    ['', 'https://bakter.test/servers/1/archive?token=a.b-c_d'],
  ])('on a computer at %j is %s', (url, address) => {
    expect(archiveAddress(access(url), PAGE)).toBe(address)
  })
})

describe('a look at the machine', () => {
  it.each([
    [200, undefined],
    [404, 'gone'],
    [409, 'stopping'],
    [503, 'busy'],
    [401, 'refused'],
    [500, 'refused'],
  ])('that answers %i says %s', async (status, trouble) => {
    const asked: RequestInit[] = []
    const ask = (_address: string, options: RequestInit) => {
      asked.push(options)
      return Promise.resolve({ ok: status === 200, status })
    }
    expect(await lookAtArchive('https://node.test/', ask)).toBe(trouble)
    expect(asked).toEqual([expect.objectContaining({ method: 'HEAD', credentials: 'omit' })])
  })

  it('that does not answer says that it is away', async () => {
    expect(await lookAtArchive('https://node.test/', () => Promise.reject(new TypeError('failed')))).toBe('away')
  })
})
