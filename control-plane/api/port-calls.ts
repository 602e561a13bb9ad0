import type { ServerPorts } from '#contracts/http/panel/ports.ts'
import { checkPort } from '../servers/ports/check-port.ts'
import {
  addPort,
  listPorts,
  makePortPrimary,
  notePort,
  removePort,
  type PortRefusal,
} from '../servers/ports/change-ports.ts'
import type { ApiDeps, InternalCalls } from './api-deps.ts'
import { ApiRefusal } from './api-refusal.ts'

type PortCall = 'server-ports' | 'add-port' | 'note-port' | 'remove-port' | 'make-port-primary' | 'check-port'

const refused = ({ code, params }: Pick<PortRefusal, 'params'> & { code: PortRefusal['code'] | 'BUSY' }): ApiRefusal =>
  new ApiRefusal(code, params === undefined ? {} : { params })

const portsOf = async (
  answer: Promise<{ readonly ok: true; readonly ports: ServerPorts } | PortRefusal>,
): Promise<ServerPorts> => {
  const result = await answer
  if (!result.ok) throw refused(result)
  return result.ports
}

/** Calls about the ports of a server. */
export const portCalls = ({ context, probe }: ApiDeps): Pick<InternalCalls, PortCall> => ({
  'server-ports': (input) => portsOf(listPorts(context, input)),
  'add-port': (input, { requestId }) => portsOf(addPort(context, { ...input, requestId })),
  'note-port': (input, { requestId }) => portsOf(notePort(context, { ...input, requestId })),
  'remove-port': (input, { requestId }) => portsOf(removePort(context, { ...input, requestId })),
  'make-port-primary': (input, { requestId }) => portsOf(makePortPrimary(context, { ...input, requestId })),
  'check-port': async (input) => {
    const result = await checkPort({ ...context, probe }, input)
    if (!result.ok) throw refused(result)
    return result.check
  },
})
