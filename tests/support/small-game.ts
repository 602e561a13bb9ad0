import { expect, type APIRequestContext } from '@playwright/test'
import * as z from 'zod'

import { Service } from '../../src/contracts/http/service.ts'
import type { DemoFile } from './demo.ts'
import { signInStaff } from './staff.ts'

export const SMALL_GAME = { slug: 'small-game', priceFt: 500 } as const

const row = (value: string) => ({ value })

/**
 * Puts the project's own small game server on offer, as staff do it in the CMS: it needs no package from anywhere and does
 * on command what real servers do on their bad days. Resolves with how to take it off the list again.
 */
export async function offerSmallGame(visitor: APIRequestContext, demo: DemoFile): Promise<() => Promise<void>> {
  const staff = await signInStaff(demo.url, demo.admin)
  const serverTemplate = await staff.save('templates', {
    name: 'Small game',
    slug: SMALL_GAME.slug,
    runtimes: ['process'],
    installationProgram: [{ arguments: [row('node'), row('{{program:test-game-install}}')], timeoutSeconds: 60 }],
    startupProgram: [row('node'), row('{{program:test-game}}')],
    startupText: 'Done! The game is open',
    stopCommand: 'stop',
    requiredPorts: 1,
    // Nobody plays: any port works, whatever else runs on this machine.
    variables: [{ name: 'Port', environmentVariable: 'GAME_PORT', default: '0', editable: false }],
  })
  const service = await staff.save('services', {
    name: 'Small game',
    slug: SMALL_GAME.slug,
    category: 'gameServer',
    serverTemplate,
    orderable: true,
    highlighted: false,
    position: 900,
  })
  await staff.save('packages', {
    name: 'Small',
    service,
    pricePerMonthFt: SMALL_GAME.priceFt,
    orderable: true,
    highlighted: false,
    cpuPercent: 100,
    ramMiB: 256,
    storageMiB: 512,
  })
  await expect
    .poll(async () => {
      const services = z.array(Service).parse(await (await visitor.get('/api/services')).json())
      return services.find(({ slug }) => slug === SMALL_GAME.slug)?.packages.length
    })
    .toBe(1)
  return async () => {
    await staff.save('services', { orderable: false }, service)
    await staff.close()
  }
}
