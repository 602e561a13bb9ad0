import type { Switches } from '#contracts/http/switches.ts'
import type { Sql } from './context/database.ts'

const ALL_ON: Switches = { ordering: true, tickets: true, serverStart: true, couponUse: true, registration: true }

/** The switches of staff; without settings everything is allowed. */
export const readSwitches = async (sql: Sql): Promise<Switches> => {
  const [row] = await sql.query<Switches>(
    `select coalesce(kill_switches_ordering, true) as ordering, coalesce(kill_switches_tickets, true) as tickets,
       coalesce(kill_switches_server_start, true) as "serverStart", coalesce(kill_switches_coupon_use, true) as "couponUse",
       coalesce(kill_switches_registration, true) as registration from public.settings limit 1`,
  )
  return row ?? ALL_ON
}
