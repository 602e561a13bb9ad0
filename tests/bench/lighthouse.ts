import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CHROMIUM } from '../support/chromium.ts'
import { median, type Section } from './report.ts'

const run = promisify(execFile)
const ROUNDS = 3
const FLAGS =
  '--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'

type Score = {
  performance: number
  accessibility: number
  bestPractices: number
  seo: number
  lcpMs: number
  totalBytes: number
}
type Audit = { numericValue?: number; errorMessage?: string }
type LighthouseReport = { categories: Record<string, { score: number | null }>; audits: Record<string, Audit> }

/** The report on one page. `options` are those of the command line. */
async function reportOn(url: string, options: readonly string[] = []): Promise<LighthouseReport> {
  const folder = await mkdtemp(join(tmpdir(), 'bakter-lighthouse-'))
  const file = join(folder, 'report.json')
  try {
    const args = [url, '--quiet', '--output=json', `--output-path=${file}`, `--chrome-flags=${FLAGS}`, ...options]
    await run('node_modules/.bin/lighthouse', args, {
      timeout: 120_000,
      env: { ...process.env, CHROME_PATH: CHROMIUM },
    })
    return JSON.parse(await readFile(file, 'utf8')) as LighthouseReport
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const LARGEST_PAINT = 'largest-contentful-paint'

async function measure(url: string): Promise<Score> {
  const { categories, audits } = await reportOn(url)
  const score = (name: string) => (categories[name]?.score ?? 0) * 100
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
    seo: score('seo'),
    lcpMs: audits[LARGEST_PAINT]?.numericValue ?? 0,
    totalBytes: audits['total-byte-weight']?.numericValue ?? 0,
  }
}

/**
 * When the largest part of a page is painted on Lighthouse's phone, for a reader with this session. The browser itself is slowed down:
 * from a fast load Lighthouse could not tell text that the page brings from text that its scripts write.
 */
export async function largestPaintMs(url: string, cookie: string): Promise<number> {
  const headers = JSON.stringify({ cookie })
  const options = ['--throttling-method=devtools', `--only-audits=${LARGEST_PAINT}`, `--extra-headers=${headers}`]
  const { audits } = await reportOn(url, options)
  const { numericValue: ms, errorMessage } = audits[LARGEST_PAINT] ?? {}
  if (ms === undefined) throw new Error(`${url}: nothing was painted. ${errorMessage ?? ''}`)
  return ms
}

/** Lighthouse's mobile run of the landing page beside the empty page of the same build, in turns. */
export async function benchLighthouse(siteUrl: string): Promise<Section> {
  const landing: Score[] = []
  const empty: Score[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    landing.push(await measure(`${siteUrl}/hu`))
    empty.push(await measure(`${siteUrl}/hu/test`))
  }
  const figure = (what: string, key: keyof Score, unit: string) => ({
    what,
    value: median(landing.map((score) => score[key])),
    unit,
    against: { what: 'empty page', value: median(empty.map((score) => score[key])) },
  })
  return {
    title: 'Lighthouse, mobile',
    method: `Median of ${ROUNDS} runs with Lighthouse's simulated phone.`,
    figures: [
      figure('performance', 'performance', ''),
      figure('accessibility', 'accessibility', ''),
      figure('best practices', 'bestPractices', ''),
      figure('SEO', 'seo', ''),
      figure('largest contentful paint', 'lcpMs', 'ms'),
      figure('bytes of the page', 'totalBytes', 'B'),
    ],
  }
}
