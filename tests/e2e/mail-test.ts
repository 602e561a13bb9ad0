import { openPostgres, type Database } from '../../src/platform/postgres/database.ts'
import { environmentOf, programOf } from '../support/demo-processes.ts'
import { variablesOf } from '../support/mail-demo.ts'
import { MailServers } from '../support/mail-servers.ts'
import { startWorkerDemo, type WorkerDemo } from '../support/worker-demo.ts'
import { expect, test as base } from './test.ts'

/** The test of journeys whose demo sends and receives by real mail servers. */
export const test = base.extend<{ db: Database }, { mailServers: MailServers; ownDemo: WorkerDemo }>({
  mailServers: [
    async ({}, use) => {
      const servers = await MailServers.start()
      await use(servers)
      await servers.stop()
    },
    { scope: 'worker' },
  ],
  ownDemo: [
    async ({ mailServers }, use, { parallelIndex: slot, workerIndex: worker }) => {
      const own = await startWorkerDemo({ slot, worker, env: variablesOf(mailServers) })
      try {
        await use(own)
      } finally {
        await own.demo.stop()
      }
    },
    { scope: 'worker', timeout: 720_000 },
  ],
  db: async ({ dataDir }, use) => {
    const { DATABASE_URL: url = '' } = environmentOf(programOf(dataDir, 'control-plane'))
    const db = openPostgres({ url, applicationName: 'journey', maxConnections: 2 })
    await use(db)
    await db.close()
  },
})

export { expect }
