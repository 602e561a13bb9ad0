import path from 'node:path'

import { systemIds } from '#platform/ids.ts'
import { addComputer } from '../factories/fleet.ts'
import type { PlatformDatabase } from '../factories/platform-database.ts'
import type { TestProgram } from '../factories/program.ts'
import { startAgent, type AgentUnderTest } from './agent-process.ts'
import { ownUsers } from './own-users.ts'

/** An administrator in the site's form. */
export const ADMINISTRATOR = {
  userId: systemIds.next(),
  sessionId: null,
  locale: 'en',
  address: '127.0.0.1',
  isAdmin: true,
  isSupport: false,
  isVerified: true,
}

/** Calls a control plane's internal API as the site does; throws its response when that is a refusal. */
export const callInternal = async <Answer>(
  plane: { readonly internalUrl: string; readonly env: Readonly<Record<string, string>> },
  name: string,
  body: object,
): Promise<Answer> => {
  const answer = await fetch(`${plane.internalUrl}/internal/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-internal-secret': plane.env['INTERNAL_SECRET'] ?? '' },
    body: JSON.stringify({ caller: ADMINISTRATOR, ...body }),
  })
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Answer
}

export interface EnrolledAgent {
  readonly agent: AgentUnderTest
  readonly data: string
  readonly nodeId: string
  readonly computerId: string
}

let numbers = 0

/** Starts a real agent that enrols at a real control plane; it connects to `url`. Resolves when it has a session. */
export const startEnrolledAgent = async (options: {
  readonly database: PlatformDatabase
  readonly plane: TestProgram
  readonly bundle: string
  readonly folder: string
  readonly url?: string
  readonly env?: Record<string, string>
}): Promise<EnrolledAgent> => {
  const { database, plane, bundle, folder, url = plane.publicUrl, env = {} } = options
  const number = numbers++
  const computerId = await addComputer(database.owner, `http://127.0.0.1:${18_000 + number}`)
  const { token } = await callInternal<{ token: string }>(plane, 'enrolment-token', { computerId })
  const data = path.join(folder, `agent-${number}`)
  const agent = await startAgent({
    bundle,
    data,
    controlPlaneUrl: url,
    env: {
      AGENT_STOP_SERVERS_ON_EXIT: '1',
      AGENT_ENROLMENT_TOKEN: token,
      AGENT_UID_BASE: String(ownUsers() + 1_000 + 100 * number),
      ...env,
    },
  })
  await agent.ready()
  const [node] = await database.owner.query<{ id: string }>('select id from control.nodes where computer_id = $1', [
    computerId,
  ])
  if (node === undefined) throw new Error('The agent is ready and has not enrolled.')
  return { agent, data, nodeId: node.id, computerId }
}
