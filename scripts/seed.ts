// Fills a migrated database with the demo: content, this machine as a computer, three accounts. Content is written
// once; a later run keeps staff's changes. The last line of output is JSON: ids for the supervisor. With
// DEMO_COMPUTER_ID it only updates that computer's addresses and ports.
import { statfsSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'

import * as z from 'zod'

import { seedDemoTickets } from '../control-plane/tickets/seed-demo-tickets.ts'
import { moveComputer } from '../src/cms/seed/move-computer.ts'
import { seedDemo } from '../src/cms/seed/seed-demo.ts'
import { DEMO_DISCORD } from '../src/identity/accounts/demo-discord-application.ts'
import { seedAccount } from '../src/identity/people/seed-account.ts'
import { DEMO_MAIL_DOMAIN } from './demo-mail-domain.ts'

const MIB = 2 ** 20
/** Memory reserved for the system and the three programs. */
const RESERVED_MEMORY_MIB = 2_048

const env = z
  .object({
    DATABASE_URL: z.string(),
    BAKTER_DATA: z.string(),
    AGENT_PUBLIC_URL: z.url(),
    SITE_URL: z.url().optional(),
    /** Set by `npm start`, whose site brings a mailbox and a Discord. */
    MAIL_FOLDER: z.string().optional(),
    GAME_PORTS: z.string().regex(/^\d+-\d+$/),
    DEMO_ADMIN_PASSWORD: z.string(),
    DEMO_SUPPORT_PASSWORD: z.string(),
    DEMO_CUSTOMER_PASSWORD: z.string(),
    DEMO_COMPUTER_ID: z.uuid().optional(),
  })
  .parse(process.env)

function thisMachine() {
  const { bavail, bsize } = statfsSync(env.BAKTER_DATA)
  const [first = 0, last = 0] = env.GAME_PORTS.split('-').map(Number)
  return {
    name: 'demo-1',
    ip: new URL(env.AGENT_PUBLIC_URL).hostname.replace(/^\[|\]$/g, ''),
    url: env.AGENT_PUBLIC_URL,
    availableMemoryMiB: Math.max(Math.floor(totalmem() / MIB) - RESERVED_MEMORY_MIB, 1_024),
    storageMiB: Math.floor((bavail * bsize) / MIB),
    cores: availableParallelism(),
    startPort: first,
    portCount: last - first + 1,
  }
}

const account = (username: string, password: string, roles: readonly ('administrator' | 'support')[]) => ({
  username,
  email: `${username}@${DEMO_MAIL_DOMAIN}`,
  password,
  roles,
})

async function seed() {
  const seeded = await seedDemo({
    databaseUrl: env.DATABASE_URL,
    computer: thisMachine(),
    ...(env.MAIL_FOLDER === undefined ? {} : { discord: DEMO_DISCORD }),
    ...(env.SITE_URL === undefined ? {} : { siteUrl: env.SITE_URL }),
    accounts: [
      account('admin', env.DEMO_ADMIN_PASSWORD, ['administrator']),
      account('support', env.DEMO_SUPPORT_PASSWORD, ['support']),
      account('customer', env.DEMO_CUSTOMER_PASSWORD, []),
    ],
    setPassword: (credentials) => seedAccount(credentials, env.DATABASE_URL),
  })
  const { admin, support, customer } = seeded.userIds
  if (support !== undefined && customer !== undefined) await seedDemoTickets(env.DATABASE_URL, { support, customer })
  return { adminId: admin, computerId: seeded.computerId }
}

async function move(computerId: string) {
  const { ip, url, startPort, portCount } = thisMachine()
  await moveComputer(env.DATABASE_URL, computerId, { ip, url, startPort, portCount })
  return { computerId }
}

console.log(JSON.stringify(env.DEMO_COMPUTER_ID === undefined ? await seed() : await move(env.DEMO_COMPUTER_ID)))
process.exit(0)
