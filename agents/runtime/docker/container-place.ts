import type { ProgramPlace } from '../driver/runtime-driver.ts'
import type { TaskHandle } from '../driver/task-handle.ts'
import { INSTALLER_CERTIFICATES, INSTALLER_HOME } from './installer-container.ts'
import { SERVER_HOME } from './server-container.ts'

interface PlaceSettings {
  readonly caBundle: string | null
  /** Text of a program of the agent's own list. */
  readonly programText: (name: string) => string | undefined
}

/** How the world looks to a program in a container. */
export const containerPlace = (kind: TaskHandle['kind'], { caBundle, programText }: PlaceSettings): ProgramPlace => ({
  rootFolder: kind === 'install' ? INSTALLER_HOME : SERVER_HOME,
  nodePath: 'node',
  npmCommand: ['npm'],
  // Unset, so that the image's own holds.
  searchPath: null,
  listenIp: (ip) => (ip.includes(':') ? '::' : '0.0.0.0'),
  caBundle: caBundle === null || kind === 'server' ? undefined : INSTALLER_CERTIFICATES,
  // As an argument: nothing of the agent has to lie in the customer's folder or in the image.
  program: (name) => {
    const text = programText(name)
    return text === undefined ? undefined : ['--input-type=module', '--eval', text]
  },
})
