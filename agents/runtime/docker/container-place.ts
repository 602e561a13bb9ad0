import { containerListenIp } from '#contracts/agent/placeholder.ts'
import type { ProgramPlace } from '../driver/runtime-driver.ts'
import type { TaskHandle } from '../driver/task-handle.ts'
import { INSTALLER_CERTIFICATES, INSTALLER_HOME } from './installer-container.ts'
import { SERVER_HOME } from './server-container.ts'

interface PlaceSettings {
  readonly caBundle: string | null
  /** The source of one of the agent's own programs. */
  readonly programText: (name: string) => string | undefined
}

/** The environment that a program in a container sees. */
export const containerPlace = (kind: TaskHandle['kind'], { caBundle, programText }: PlaceSettings): ProgramPlace => ({
  rootFolder: kind === 'install' ? INSTALLER_HOME : SERVER_HOME,
  nodePath: 'node',
  npmCommand: ['npm'],
  // Unset, so that the image's own applies.
  searchPath: null,
  listenIp: containerListenIp,
  caBundle: caBundle === null || kind === 'server' ? undefined : INSTALLER_CERTIFICATES,
  // Passed as an argument, so that the customer's folder and the image need no file of the agent.
  program: (name) => {
    const text = programText(name)
    return text === undefined ? undefined : ['--input-type=module', '--eval', text]
  },
})
