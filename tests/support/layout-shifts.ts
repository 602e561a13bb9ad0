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

/** Shifts that were recorded so far count no more. */
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

/** The requests whose answers a page awaits. Those of the document before it end without a word when it is left. */
class AwaitedAnswers {
  readonly #pending = new Set<Request>()

  constructor(page: Page) {
    page.on('request', (request) => {
      if (/\/api\//.test(request.url()) && !isPoll(request)) this.#pending.add(request)
    })
    page.on('response', (response) => {
      const isDocument = response.request().isNavigationRequest() && response.frame() === page.mainFrame()
      if (isDocument) this.#pending.clear()
    })
    page.on('requestfinished', (request) => this.#pending.delete(request))
    page.on('requestfailed', (request) => this.#pending.delete(request))
  }

  get urls(): readonly string[] {
    return [...this.#pending].map((request) => request.url())
  }
}

/** Answers of the API and fonts arrive late, in an order of their own, so that every loading state is seen. */
export async function slowAnswers(page: Page): Promise<AwaitedAnswers> {
  let turn = 0
  const awaited = new AwaitedAnswers(page)
  await page.route(/\/api\//, async (route) => {
    turn += 1
    await after(API_AFTER_MS[turn % API_AFTER_MS.length])
    await route.fallback()
  })
  await page.route(/\.woff2/, async (route) => {
    await after(FONT_AFTER_MS)
    await route.fallback()
  })
  return awaited
}

/** Waits until nothing is loading: no skeleton, no answer awaited, for a moment. */
export async function settled(page: Page, awaited: AwaitedAnswers): Promise<void> {
  const isQuiet = async () => {
    expect(awaited.urls).toEqual([])
    expect(await page.locator('.skel').filter({ visible: true }).count(), 'skeletons').toBe(0)
  }
  await expect(async () => {
    await isQuiet()
    await after(QUIET_MS)
    await isQuiet()
  }).toPass({ timeout: 90_000, intervals: [100] })
}
