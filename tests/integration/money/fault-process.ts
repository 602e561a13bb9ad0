import { FaultPlan } from '#platform/fault-plan.ts'
import { faultPointsOf } from '#platform/fault-point.ts'
import { openPostgres } from '#platform/postgres/database.ts'
import { APPLICATION_ROLE } from '../../factories/control-database.ts'
import { SCENARIOS, sceneOn, type Subject } from './fault-scenarios.ts'

/** The work of the process, as JSON in the environment variable WORK; FAULT says where it dies. */
export type FaultWork = { readonly scenario: string; readonly subject: Subject }

const { scenario, subject } = JSON.parse(process.env['WORK'] ?? '{}') as FaultWork
const url = process.env['DATABASE_URL'] ?? ''
const db = openPostgres({ url, applicationName: 'fault-process', role: APPLICATION_ROLE, waitMs: 60_000 })
const faults = faultPointsOf(FaultPlan.parse(process.env['FAULT']))
await SCENARIOS[scenario]?.act(sceneOn(db, subject, { faults }), subject)
await db.close()
