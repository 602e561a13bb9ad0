'use client'

import { ServerRefund } from './server-refund.tsx'
import { TestServers } from './test-servers.tsx'

/** What staff do with the money of servers. */
export const ServerPages = () => (
  <>
    <ServerRefund />
    <TestServers />
  </>
)
