import { expect, type APIRequestContext, type Browser } from '@playwright/test'
import * as z from 'zod'

import { Service } from '../../src/contracts/http/service.ts'
import type { DemoFile } from './demo.ts'

export const SMALL_GAME = { slug: 'small-game', priceFt: 500 } as const

const Made = z.object({ doc: z.object({ id: z.string() }) })
const row = (value: string) => ({ value })

/** Asks the CMS as staff do; the answer's document id. */
async function write(staff: APIRequestContext, call: { path: string; data: object; method?: 'POST' | 'PATCH' }) {
  const origin = new URL((await staff.get('/en')).url()).origin
  const answer = await staff.fetch(`/api/cms/${call.path}`, {
    method: call.method ?? 'POST',
    headers: { origin },
    data: call.data,
  })
  if (!answer.ok()) throw new Error(`${call.path}: ${answer.status()} ${await answer.text()}`)
  return Made.parse(await answer.json()).doc.id
}

/**
 * Puts the project's own small game server on offer, as staff do it in the CMS: it needs no package from anywhere and does
 * on command what real servers do on their bad days. Resolves with how to take it off the list again.
 */
export async function offerSmallGame(browser: Browser, demo: DemoFile): Promise<() => Promise<void>> {
  const context = await browser.newContext({ baseURL: demo.url })
  const staff = context.request
  await staff.post('/api/auth/login', { headers: { origin: demo.url }, data: demo.admin })
  const serverTemplate = await write(staff, {
    path: 'templates',
    data: {
      name: 'Small game',
      slug: SMALL_GAME.slug,
      runtimes: ['process'],
      installationProgram: [{ arguments: [row('node'), row('{{program:test-game-install}}')], timeoutSeconds: 60 }],
      startupProgram: [row('node'), row('{{program:test-game}}')],
      startupText: 'Done! The game is open',
      stopCommand: 'stop',
      requiredPorts: 1,
      // Nobody plays: any port does, whatever else runs on this machine.
      variables: [{ name: 'Port', environmentVariable: 'GAME_PORT', default: '0', editable: false }],
    },
  })
  const service = await write(staff, {
    path: 'services',
    data: {
      ...{ name: 'Small game', slug: SMALL_GAME.slug, category: 'gameServer', serverTemplate },
      ...{ orderable: true, highlighted: false, position: 900 },
    },
  })
  await write(staff, {
    path: 'packages',
    data: {
      ...{ name: 'Small', service, pricePerMonthFt: SMALL_GAME.priceFt, orderable: true, highlighted: false },
      ...{ cpuPercent: 100, ramMiB: 256, storageMiB: 512 },
    },
  })
  await expect
    .poll(async () => {
      const services = z.array(Service).parse(await (await staff.get('/api/services')).json())
      return services.find(({ slug }) => slug === SMALL_GAME.slug)?.packages.length
    })
    .toBe(1)
  return async () => {
    await write(staff, { path: `services/${service}`, method: 'PATCH', data: { orderable: false } })
    await context.close()
  }
}
