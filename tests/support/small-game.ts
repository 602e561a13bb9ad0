import { randomBytes } from 'node:crypto'

import { expect, type APIRequestContext } from '@playwright/test'
import * as z from 'zod'

import { Service } from '../../src/contracts/http/service.ts'
import type { DemoFile } from './demo.ts'
import { signInStaff } from './staff.ts'

const PRICE_FT = 500

const row = (value: string) => ({ value })

/**
 * Puts the project's own small game server on offer, as staff do it in the CMS: it needs no package from anywhere and does
 * on command what real servers do on their bad days. Each journey has a game of its own. Resolves with its name in addresses and
 * with how to take it off the list again.
 */
export async function offerSmallGame(
  visitor: APIRequestContext,
  demo: DemoFile,
): Promise<{ readonly slug: string; readonly withdraw: () => Promise<void> }> {
  const slug = `small-game-${randomBytes(3).toString('hex')}`
  const staff = await signInStaff(demo.url, demo.admin)
  const serverTemplate = await staff.save('templates', {
    name: 'Small game',
    slug,
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
    slug,
    category: 'gameServer',
    serverTemplate,
    orderable: true,
    highlighted: false,
    position: 900,
  })
  await staff.save('packages', {
    name: 'Small',
    service,
    pricePerMonthFt: PRICE_FT,
    orderable: true,
    highlighted: false,
    cpuPercent: 100,
    ramMiB: 256,
    storageMiB: 512,
  })
  await expect
    .poll(async () => {
      const services = z.array(Service).safeParse(await (await visitor.get('/api/services')).json()).data
      return services?.find((offered) => offered.slug === slug)?.packages.length
    })
    .toBe(1)
  const withdraw = async () => {
    await staff.save('services', { orderable: false }, service)
    await staff.close()
  }
  return { slug, withdraw }
}
