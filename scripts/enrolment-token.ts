// Creates the single-use enrolment token of a computer's agent. Takes DATABASE_URL from the environment, and the
// computer's name in /admin as its argument.
import { createEnrolmentToken } from '../control-plane/servers/nodes/enrol-node.ts'
import { systemClock } from '#platform/clock.ts'
import { systemIds } from '#platform/ids.ts'
import { openPostgres } from '#platform/postgres/database.ts'
import { readComputers } from '../control-plane/cms/cms-reader.ts'

const url = process.env['DATABASE_URL']
const [name] = process.argv.slice(2)
if (!url || !name) {
  console.error(url ? 'Name the computer, as in /admin.' : 'DATABASE_URL is missing.')
  process.exit(1)
}
const db = openPostgres({ url, applicationName: 'enrolment-token', maxConnections: 1 })
const computers = await readComputers(db)
const computer = computers.find((each) => each.name === name)
const made = computer && (await createEnrolmentToken({ db, clock: systemClock, ids: systemIds }, computer.id))
await db.close()
if (!made?.ok) {
  const names = computers.map((each) => each.name).join(', ')
  console.error(`There is no computer "${name}": ${names === '' ? 'add it in /admin first.' : `there are ${names}.`}`)
  process.exit(1)
}
console.log(made.token)
console.error(`It enrols the agent of ${name} once, until ${new Date(made.expiresAtMs).toISOString()}.`)
process.exit(0)
