// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isChunkFailure, mayReload, reloadOnce } from '../../../../src/lib/errors/chunk-reload.ts'
import { screenTimes } from '../../../../src/ui/screen/screen-times.ts'

const named = (name: string, message = '') => Object.assign(new Error(message), { name })

describe('isChunkFailure', () => {
  it.each([
    named('ChunkLoadError'),
    new Error('Loading chunk 12 failed.'),
    new Error('Failed to load chunk /_next/static/chunks/1.js'),
    new TypeError('Failed to fetch dynamically imported module: https://example.org/a.js'),
    new TypeError('error loading dynamically imported module'),
    new TypeError('Importing a module script failed.'),
  ])('sees %s', (error) => {
    expect(isChunkFailure(error)).toBe(true)
  })

  it.each([new Error('Failed to fetch'), new TypeError('x is undefined'), 'ChunkLoadError', null])(
    'leaves %s',
    (error) => {
      expect(isChunkFailure(error)).toBe(false)
    },
  )
})

describe('mayReload', () => {
  it('is at most once per 60 seconds', () => {
    expect(screenTimes.chunkReloadPauseMs).toBe(60_000)
    expect(mayReload(null, 1_000_000)).toBe(true)
    expect(mayReload(1_000_000, 1_000_000)).toBe(false)
    expect(mayReload(1_000_000, 1_059_999)).toBe(false)
    expect(mayReload(1_000_000, 1_060_000)).toBe(true)
  })

  it('does not wait for ever after the clock was set back', () => {
    expect(mayReload(2_000_000, 1_000_000)).toBe(true)
  })
})

describe('reloadOnce', () => {
  let reloads = 0
  beforeEach(() => {
    reloads = 0
    sessionStorage.clear()
    vi.spyOn(window.location, 'reload').mockImplementation(() => {
      reloads += 1
    })
  })

  afterEach(() => vi.unstubAllGlobals())

  it('a page is reloaded once within a minute, and again after it', () => {
    expect([reloadOnce(1_000_000), reloads]).toEqual([true, 1])
    expect([reloadOnce(1_059_999), reloads]).toEqual([false, 1])
    expect([reloadOnce(1_060_000), reloads]).toEqual([true, 2])
  })

  it('a page whose storage refuses is not reloaded, so that it never loops', () => {
    const refuse = () => {
      throw new Error('full')
    }
    vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: refuse })
    expect([reloadOnce(1_000_000), reloads]).toEqual([false, 0])
  })
})
