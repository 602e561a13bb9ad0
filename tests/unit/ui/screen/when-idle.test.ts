import { readdirSync, readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { whenIdle } from '../../../../src/ui/screen/when-idle.ts'

test('the idle callback is asked for, with 2000 ms at most, and called off', () => {
  const view = {
    requestIdleCallback: vi.fn<(run: () => void, options: { timeout: number }) => number>(() => 7),
    cancelIdleCallback: vi.fn<(handle: number) => void>(),
    setTimeout: vi.fn<(run: () => void, delayMs: number) => number>(() => 0),
    clearTimeout: vi.fn<(handle: number) => void>(),
  }
  const run = () => undefined
  whenIdle(view, run)()
  expect(view.requestIdleCallback).toHaveBeenCalledWith(run, { timeout: 2_000 })
  expect(view.cancelIdleCallback).toHaveBeenCalledWith(7)
  expect(view.setTimeout).not.toHaveBeenCalled()
})

test('a browser without it waits the 2000 ms', () => {
  const view = {
    setTimeout: vi.fn<(run: () => void, delayMs: number) => number>(() => 9),
    clearTimeout: vi.fn<(handle: number) => void>(),
  }
  const run = () => undefined
  whenIdle(view, run)()
  expect(view.setTimeout).toHaveBeenCalledWith(run, 2_000)
  expect(view.clearTimeout).toHaveBeenCalledWith(9)
})

test('no page links past it: the framework link stands in one file', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'))
  const using = files.filter((name) => readFileSync(`src/${name}`, 'utf8').includes("from 'next/link'"))
  expect(using).toEqual(['ui/controls/page-link.tsx'])
})
