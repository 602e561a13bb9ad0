import { describe, expect, it } from 'vitest'

import { isWorthRepeating, PullProgress } from '../../../../../agents/runtime/docker/pull-progress.ts'

const layer = (id: number, status: string, current?: number, total?: number) => ({
  id: String(id).padStart(12, 'a'),
  status,
  ...(current === undefined || total === undefined ? {} : { progressDetail: { current, total } }),
})

describe('progress of a pull', () => {
  it('tells layers, megabytes and percent, once in a second', () => {
    const progress = new PullProgress()
    const lines = [
      progress.add(layer(1, 'Pulling fs layer'), 0),
      progress.add(layer(2, 'Pulling fs layer'), 10),
      progress.add(layer(1, 'Downloading', 1_000_000, 4_000_000), 500),
      progress.add(layer(1, 'Downloading', 2_000_000, 4_000_000), 1_000),
      progress.add(layer(2, 'Downloading', 3_000_000, 6_000_000), 1_999),
      progress.add(layer(1, 'Download complete'), 2_000),
      progress.add(layer(2, 'Pull complete'), 2_100),
      progress.finish(2_200),
    ]
    expect(lines).toEqual([
      'Image: 0 of 1 layers, 0.0 of 0.0 MB, 0 %',
      undefined,
      undefined,
      'Image: 0 of 2 layers, 2.0 of 4.0 MB, 25 %',
      undefined,
      'Image: 1 of 2 layers, 7.0 of 10.0 MB, 75 %',
      undefined,
      'Image: 2 of 2 layers, 10.0 of 10.0 MB, 100 %',
    ])
  })

  it('begins a layer anew when its download broke off', () => {
    const progress = new PullProgress()
    progress.add(layer(1, 'Downloading', 4, 4), 0)
    progress.add(layer(1, 'Download complete'), 1)
    expect(progress.add(layer(1, 'Downloading', 1_000_000, 4_000_000), 1_000)).toContain('0 of 1 layers')
  })

  it('says nothing of lines that are no layers, and never the same twice', () => {
    const progress = new PullProgress()
    expect(progress.add({ id: 'latest', status: 'Pulling from x' }, 0)).toBeUndefined()
    expect(progress.finish(0)).toBeUndefined()
    progress.add(layer(1, 'Already exists'), 0)
    expect(progress.add(layer(1, 'Already exists'), 5_000)).toBeUndefined()
    expect(progress.finish(9_000)).toBeUndefined()
  })
})

describe('a pull that failed', () => {
  it.each([
    'toomanyrequests: the test asked for 429',
    'received unexpected HTTP status: 500 Internal Server Error',
    'unexpected EOF',
    'filesystem layer verification failed for digest sha256:1',
    'Get "https://x/v2/": net/http: TLS handshake timeout',
    'the registry stopped sending',
  ])('may be repeated: %s', (message) => {
    expect(isWorthRepeating(message)).toBe(true)
  })
  it.each([
    'unauthorized: authentication required',
    'pull access denied for x, repository does not exist',
    'manifest unknown: manifest unknown',
    'manifest for x@sha256:1 not found: manifest unknown',
    'no matching manifest for linux/arm64 in the manifest list entries',
    'error parsing HTTP 403 response body: invalid character',
    'received unexpected HTTP status: 401 token expired',
  ])('is final: %s', (message) => {
    expect(isWorthRepeating(message)).toBe(false)
  })
})
