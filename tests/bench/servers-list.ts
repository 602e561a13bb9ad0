import { setTimeout as pause } from 'node:timers/promises'
import { chromium, type Browser, type Page } from 'playwright'
import { CHROMIUM } from '../support/chromium.ts'
import type { DemoFile } from '../support/demo.ts'
import { signInByApi } from '../support/journey.ts'
import { listedId, listedServer, standInForGateway, standInForList } from '../support/listed-servers.ts'
import { waitFor } from '../support/wait-for.ts'
import { percentile, type Figure, type Section } from './report.ts'

const SERVERS = 200
const EVENTS_PER_SECOND = 50
const SECONDS = 10
const GOAL_MS = 20
const EMPTY_SECONDS = 5
const VIEWPORT = { width: 1_440, height: 900 }

/** Starts to note the time from each frame of the page to the next, and the tasks that held it up. */
const noteFrames = (page: Page) =>
  page.evaluate(() => {
    const seen = { frames: [] as number[], longTasks: 0 }
    Reflect.set(window, 'seenFrames', seen)
    let last = performance.now()
    const frame = (now: number) => {
      seen.frames.push(now - last)
      last = now
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
    new PerformanceObserver((list) => {
      seen.longTasks += list.getEntries().length
    }).observe({ type: 'longtask' })
  })

const framesOf = (page: Page) =>
  page.evaluate(() => Reflect.get(window, 'seenFrames') as { frames: number[]; longTasks: number })

/** The frames of a page with nothing on it, in the same browser: what the machine leaves at this time. */
async function emptyFrames(browser: Browser): Promise<readonly number[]> {
  const page = await browser.newPage({ viewport: VIEWPORT })
  // The loader of these programs names functions with a helper that an empty page does not have.
  await page.evaluate('globalThis.__name = (named) => named')
  await noteFrames(page)
  await pause(EMPTY_SECONDS * 1_000)
  const { frames } = await framesOf(page)
  await page.close()
  return frames
}

async function sendStates(gateway: Awaited<ReturnType<typeof standInForGateway>>): Promise<void> {
  const words = ['running', 'stopping', 'offline', 'starting'] as const
  const startMs = performance.now()
  for (let event = 0; event < EVENTS_PER_SECOND * SECONDS; event += 1) {
    gateway.state(
      listedId((event * 7) % SERVERS),
      words[Math.floor(event / SERVERS + event) % words.length] ?? 'running',
    )
    const nextMs = startMs + ((event + 1) * 1_000) / EVENTS_PER_SECOND
    await pause(Math.max(0, nextMs - performance.now()))
  }
}

/** The frames of the list of servers while their states change. */
export async function benchServersList(demo: DemoFile): Promise<Section> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  try {
    const empty = await emptyFrames(browser)
    const page = await browser.newPage({ baseURL: demo.url, viewport: VIEWPORT })
    await page.goto('/en')
    await signInByApi(page, demo.customer)
    const gateway = await standInForGateway(page)
    const seen = await standInForList(
      page,
      Array.from({ length: SERVERS }, (_, at) => listedServer(at)),
    )
    await page.goto('/en/dashboard/servers')
    await page.getByRole('link', { name: 'Server 000' }).waitFor()
    await waitFor('the realtime link', () => gateway.isOpen(), 30_000)
    await pause(2_000)
    const readsBefore = seen.reads
    await noteFrames(page)
    await sendStates(gateway)
    const { frames, longTasks } = await framesOf(page)
    const frame = (share: number) => ({
      value: percentile(frames, share),
      unit: 'ms',
      against: { what: 'empty page', value: percentile(empty, share) },
    })
    const figures: Figure[] = [
      { what: 'frame, median', ...frame(0.5) },
      { what: 'frame, 95th percentile', ...frame(0.95), note: `goal ${GOAL_MS} ms` },
      { what: 'frame, 99th percentile', ...frame(0.99) },
      { what: 'tasks over 50 ms', value: longTasks, unit: '' },
      { what: 'reads of the list meanwhile', value: seen.reads - readsBefore, unit: '', note: 'goal 0' },
    ]
    return {
      title: 'List of servers',
      method: `${SERVERS} servers in Chromium, ${EVENTS_PER_SECOND} changes of state a second for ${SECONDS} s; the time from one frame to the next. The browser shares the cores with the demo.`,
      figures,
    }
  } finally {
    await browser.close()
  }
}
