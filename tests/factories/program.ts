import { freePorts } from '../support/free-port.ts'
import { startOwnProcess, type OwnProcess } from '../support/own-process.ts'
import { programArguments } from '../support/test-program.ts'
import { waitFor } from '../support/wait-for.ts'

export type TestProgram = {
  readonly process: OwnProcess
  readonly publicUrl: string
  readonly internalUrl: string
  readonly env: Record<string, string>
}

/** The environment of a demo's control plane. */
export async function programEnvironment(
  databaseUrl: string,
  more: Record<string, string> = {},
): Promise<Record<string, string>> {
  const [publicPort = 0, internalPort = 0] = await freePorts(2)
  return {
    DATABASE_URL: databaseUrl,
    CONTROL_PLANE_PORT: String(publicPort),
    CONTROL_PLANE_INTERNAL_PORT: String(internalPort),
    CONTROL_PLANE_PUBLIC_URL: `http://127.0.0.1:${publicPort}`,
    INTERNAL_SECRET: 'an internal secret of the tests',
    SITE_URL: 'http://127.0.0.1:3000',
    SITE_INTERNAL_URL: 'http://127.0.0.1:9',
    ...more,
  }
}

/** Starts the program as a process, without waiting for it. */
export const spawnProgram = async (env: Record<string, string>, args: string[] = []): Promise<OwnProcess> =>
  startOwnProcess({
    command: process.execPath,
    args: await programArguments('control-plane/main.ts', ...args),
    env,
  })

/** Starts the control plane and waits until it is ready. */
export async function startProgram(
  databaseUrl: string,
  options: { env?: Record<string, string>; args?: string[] } = {},
): Promise<TestProgram> {
  const env = await programEnvironment(databaseUrl, options.env)
  const program = await spawnProgram(env, options.args)
  const internalUrl = `http://127.0.0.1:${env['CONTROL_PLANE_INTERNAL_PORT']}`
  await waitFor('the control plane', async () => {
    program.mustRun()
    return (await fetch(`${internalUrl}/health/ready`)).ok
  })
  return { process: program, publicUrl: env['CONTROL_PLANE_PUBLIC_URL'] ?? '', internalUrl, env }
}
