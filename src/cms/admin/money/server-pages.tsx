'use client'

import { ServerRefund } from './server-refund.tsx'
import { TestServers } from './test-servers.tsx'

/** The pages about the money of servers. */
export const ServerPages = () => (
  <>
    <ServerRefund />
    <TestServers />
  </>
)
