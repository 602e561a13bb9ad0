import { setTimeout as pause } from 'node:timers/promises'
import { chromium, type Browser, type Page } from 'playwright'
import { SHOWN_STATUS } from '../../src/domain/servers/status.ts'
import type { ServerWord } from '../../src/domain/servers/status.ts'
import en from '../../src/messages/en.json' with { type: 'json' }
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
const noteFrames = async (page: Page) => {
  // The loader of these programs names functions with a helper that a page does not have.
  await page.evaluate('globalThis.__name = (named) => named')
  await page.evaluate(() => {
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
}

const framesOf = (page: Page) =>
  page.evaluate(() => Reflect.get(window, 'seenFrames') as { frames: number[]; longTasks: number })

/** The frames of a page with nothing on it, in the same browser: what the machine leaves at this time. */
async function emptyFrames(browser: Browser): Promise<readonly number[]> {
  const page = await browser.newPage({ viewport: VIEWPORT })
  await noteFrames(page)
  await pause(EMPTY_SECONDS * 1_000)
  const { frames } = await framesOf(page)
  await page.close()
  return frames
}

/** Sends the changes; resolves to the last state of each server. */
async function sendStates(gateway: Awaited<ReturnType<typeof standInForGateway>>) {
  const last = new Map<string, ServerWord>()
  const words = ['running', 'stopping', 'offline', 'starting'] as const
  const startMs = performance.now()
  for (let event = 0; event < EVENTS_PER_SECOND * SECONDS; event += 1) {
    const id = listedId((event * 7) % SERVERS)
    const word = words[Math.floor(event / SERVERS + event) % words.length] ?? 'running'
    gateway.state(id, word)
    last.set(id, word)
    const nextMs = startMs + ((event + 1) * 1_000) / EVENTS_PER_SECOND
    await pause(Math.max(0, nextMs - performance.now()))
  }
  return last
}

/** How many servers' rows show the given states. */
const shownStates = async (page: Page, states: ReadonlyMap<string, ServerWord>): Promise<number> => {
  const labels = new Map([...states].map(([id, word]) => [id, en.status[SHOWN_STATUS[word].label]]))
  const shown = await page
    .locator('[data-server]')
    .evaluateAll((rows) =>
      rows.map((row) => [row.getAttribute('data-server') ?? '', row.querySelector('.stc')?.textContent ?? ''] as const),
    )
  return shown.filter(([id, text]) => text === labels.get(id)).length
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
    const states = await sendStates(gateway)
    const { frames, longTasks } = await framesOf(page)
    // Frames in which nothing was drawn would be as short.
    await waitFor('the last states in the list', async () => (await shownStates(page, states)) === SERVERS, 5_000)
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
