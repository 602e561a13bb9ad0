import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { forgetWayBack, rememberWayBack, wayBack } from '../../../../src/lib/navigation/way-back.ts'

const storage = new Map<string, string>()
beforeEach(() => {
  storage.clear()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
    removeItem: (key: string) => void storage.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

describe('the way back after a payment', () => {
  test('is the page that was left, until it is forgotten', () => {
    rememberWayBack('/dashboard/services/game?months=3')
    expect(wayBack()).toBe('/dashboard/services/game?months=3')
    forgetWayBack()
    expect(wayBack()).toBeNull()
  })

  test.each(['//evil.test', '/\\evil.test', 'https://evil.test', 'javascript:alert(1)', '', 'evil.test/a'])(
    'leads to no other site: %s',
    (path) => {
      rememberWayBack(path)
      expect(wayBack()).toBeNull()
    },
  )

  test('is none where storage is switched off', () => {
    vi.stubGlobal('sessionStorage', undefined)
    rememberWayBack('/dashboard')
    expect(wayBack()).toBeNull()
  })
})
