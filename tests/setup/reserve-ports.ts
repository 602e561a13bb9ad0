import { rmSync } from 'node:fs'

import type { FullConfig } from '@playwright/test'

import { DEMOS, reservePorts } from '../support/worker-demo.ts'

/**
 * Global set-up of the end-to-end tests: it reserves in advance the resources that two workers' demos must not share.
 */
export default async function setup({ workers }: FullConfig): Promise<void> {
  rmSync(DEMOS, { recursive: true, force: true })
  await reservePorts(workers)
}
