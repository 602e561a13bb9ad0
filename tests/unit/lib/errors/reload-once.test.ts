// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { reloadOnce } from '../../../../src/lib/errors/chunk-reload.ts'

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
