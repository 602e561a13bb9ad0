import { setTimeout as after } from 'node:timers/promises'
import { expect, type Page, type Request } from '@playwright/test'

export interface Shifts {
  readonly sum: number
  /** Each shift: its score, and what moved from where to where. */
  readonly moved: readonly string[]
}

/** Adds up all layout shifts of the page from its next load on that follow no input. */
export const recordShifts = (page: Page) =>
  page.addInitScript(() => {
    type Rect = { x: number; y: number; width: number; height: number }
    type Shift = PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: readonly { node: Node | null; previousRect: Rect; currentRect: Rect }[]
    }
    const seen = { sum: 0, moved: [] as string[] }
    Reflect.set(window, 'layoutShifts', seen)
    const nameOf = (node: Node | null): string => {
      if (!(node instanceof Element)) return node?.textContent?.slice(0, 30) ?? 'gone'
      return `${node.localName}${node.id ? `#${node.id}` : ''}.${node.className} "${node.textContent?.slice(0, 20)}"`
    }
    const at = ({ x, y, width, height }: Rect) => `${x},${y} ${width}x${height}`
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries() as Shift[]) {
        if (shift.hadRecentInput) continue
        seen.sum += shift.value
        const sources = shift.sources.map(
          ({ node, previousRect, currentRect }) => `${nameOf(node)} ${at(previousRect)} -> ${at(currentRect)}`,
        )
        seen.moved.push(`${shift.value.toFixed(4)} at ${Math.round(shift.startTime)}: ${sources.join(' | ')}`)
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })

export const shiftsOf = (page: Page): Promise<Shifts> =>
  page.evaluate(() => Reflect.get(window, 'layoutShifts') as Shifts)

/** What was recorded so far counts no more. */
export const forgetShifts = (page: Page) =>
  page.evaluate(() =>
    Reflect.set(
      window,
      'layoutShifts',
      Object.assign(Reflect.get(window, 'layoutShifts') as object, { sum: 0, moved: [] }),
    ),
  )

const API_AFTER_MS = [250, 400, 550]
const FONT_AFTER_MS = 350
const QUIET_MS = 350

const isPoll = (request: Request) => /\/api\/(?:global-message|error-report)/.test(request.url())

/**
 * Answers of the API and fonts arrive late, in an order of their own, so that every loading state is seen. Returns how many answers
 * are awaited.
 */
export async function slowAnswers(page: Page): Promise<() => number> {
  let turn = 0
  let awaited = 0
  page.on('request', (request) => void (awaited += /\/api\//.test(request.url()) && !isPoll(request) ? 1 : 0))
  const ended = (request: Request) => void (awaited -= /\/api\//.test(request.url()) && !isPoll(request) ? 1 : 0)
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  await page.route(/\/api\//, async (route) => {
    turn += 1
    await after(API_AFTER_MS[turn % API_AFTER_MS.length])
    await route.fallback()
  })
  await page.route(/\.woff2/, async (route) => {
    await after(FONT_AFTER_MS)
    await route.fallback()
  })
  return () => awaited
}

/** Waits until nothing is loading: no skeleton, no answer awaited, for a moment. */
export async function settled(page: Page, awaited: () => number): Promise<void> {
  await expect(async () => {
    expect(awaited()).toBe(0)
    expect(await page.locator('.skel').filter({ visible: true }).count()).toBe(0)
    await after(QUIET_MS)
    expect(awaited()).toBe(0)
    expect(await page.locator('.skel').filter({ visible: true }).count()).toBe(0)
  }).toPass({ timeout: 20_000, intervals: [100] })
}
