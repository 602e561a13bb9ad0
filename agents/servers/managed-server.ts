import { AGENT_SHUTDOWN_REQUEST, type AgentCommand } from '#contracts/agent/session.ts'
import type { ServerSpec } from '#contracts/agent/server-spec.ts'
import { adopt, type Remainder } from './adopt-dangling.ts'
import { install } from './install.ts'
import { kill, OK, refusal, restart, serverExited, start, stop } from './power.ts'
import { PowerQueue } from './power-queue.ts'
import type { ServerCore } from './server-core.ts'
import type { CommandResult, Work } from './state-file.ts'

export type PowerAction = 'start' | 'stop' | 'restart' | 'kill'
type Action = (core: ServerCore, work: Work) => Promise<CommandResult>

const POWER: Readonly<Record<PowerAction, Action>> = { start, stop, restart, kill }
const MAX_LINE_BYTES = 4_096

/** The command without those that the manager itself handles. */
export type ServerCommand = Exclude<AgentCommand, { kind: 'delete' }>

/** One server as the rest of the agent sees it: commands in, one at a time, each id at most once. */
export class ManagedServer {
  readonly core: ServerCore
  readonly #queue = new PowerQueue<CommandResult>()
  readonly #onReport: (error: unknown) => void
  #cancelRestart: () => void = () => {}

  constructor(core: ServerCore) {
    this.core = core
    this.#onReport = (error) => core.deps.log.error({ err: error, serverId: core.id }, 'action failed')
    core.onServerExit = async (exit) => {
      await serverExited(core, exit)
      this.#scheduleRestart()
    }
  }

  /** Looks at what was left behind and goes on with it. Resolves when the server is known; long work goes on. */
  async adopt(): Promise<void> {
    const remainder: Remainder = await adopt(this.core)
    this.#scheduleRestart()
    if (remainder === undefined) return
    void this.#queue.add(() => this.#carryOut(remainder.work, remainder.run)).catch(this.#onReport)
  }

  /**
   * Runs a command of the control plane (rules A4, A5). A known id is answered again, never run again; a command older
   * than what the node knows is refused.
   */
  async execute(command: ServerCommand): Promise<void> {
    const { core } = this
    const known = core.record.commands.find((entry) => entry.id === command.id)
    if (known?.result) {
      core.answer(command.id, known.result)
      return
    }
    core.deps.emit({ kind: 'command.accepted', commandId: command.id, serverId: core.id })
    if (known) return
    if (command.generation < (core.spec?.generation ?? 0)) {
      core.answer(command.id, refusal('STALE_GENERATION', `This node knows generation ${core.spec?.generation ?? 0}.`))
      return
    }
    core.save({ spec: command.spec, commands: [...core.record.commands, { id: command.id, result: null }] })
    this.#applySuspension(command.spec)
    await this.#runCommand(command)
  }

  async #runCommand(command: ServerCommand): Promise<void> {
    const { core } = this
    const base = { commandId: command.id, requestId: command.requestId, step: 0 }
    if (command.kind === 'update') {
      core.finish(command.id, OK, core.record.work === null ? {} : { work: core.record.work })
      return
    }
    if (command.kind === 'power') {
      await core.deps.faults(command.action === 'stop' ? 'stop.accepted' : 'start.accepted')
      await this.#enqueue({ ...base, kind: command.action }, POWER[command.action])
      return
    }
    await core.deps.faults('install.accepted')
    const reinstall: Action = async (target, work) => {
      const stopped = target.isLive ? await stop(target, work) : OK
      return stopped.ok ? install(target, work) : stopped
    }
    await this.#enqueue({ ...base, kind: 'install' }, command.kind === 'reinstall' ? reinstall : install)
  }

  /** A power action asked for on the per-server socket. Answers with the result; nobody else is told. */
  async power(action: PowerAction): Promise<CommandResult> {
    return this.#enqueue({ commandId: null, requestId: null, kind: action, step: 0 }, POWER[action])
  }

  /** One line to the program's standard input (rule P7). */
  async writeLine(line: string): Promise<CommandResult> {
    const { core } = this
    const { task, state } = core.record
    if (/[\r\n\0]/.test(line)) return refusal('LINE_BREAK', 'A command is one line.')
    if (Buffer.byteLength(line) > MAX_LINE_BYTES) return refusal('TOO_LONG', 'A command has at most 4,096 bytes.')
    if (task === null || (state !== 'running' && state !== 'starting')) return refusal('NOT_RUNNING')
    return (await core.deps.driver.writeLine(task, core.layout, line)) ? OK : refusal('NOT_READING')
  }

  /** Ends what runs for this server, a program by its chain and an installation at once. Used when the whole node stops. */
  async shutDown(): Promise<void> {
    this.#cancelRestart()
    this.#queue.supersedeWaiting()
    const { task, state } = this.core.record
    if (this.core.isLive) {
      const work: Work = { commandId: null, requestId: AGENT_SHUTDOWN_REQUEST, kind: 'stop', step: 0 }
      await this.#enqueue(work, POWER.stop)
    }
    if (state !== 'installing' || task === null) return
    await this.core.deps.driver.signal(task, this.core.layout, 'SIGKILL')
    await this.core.endsWithin(15_000)
  }

  /** Ends everything that runs for this server, so that its folder can go. */
  async endForDeletion(): Promise<void> {
    const { core } = this
    this.#cancelRestart()
    this.#queue.supersedeWaiting()
    const { task } = core.record
    core.move('deleting')
    if (task !== null) await core.deps.driver.signal(task, core.layout, 'SIGKILL')
    await core.endsWithin(15_000)
    core.detach()
  }

  detach(): void {
    this.#cancelRestart()
    this.core.detach()
  }

  async #enqueue(work: Work, action: Action): Promise<CommandResult> {
    this.#cancelRestart()
    const { core } = this
    const run = (): Promise<CommandResult> => this.#carryOut(work, () => action(core, work))
    const end = await (work.kind === 'kill' ? this.#queue.urgent(run) : this.#queue.add(run))
    if (end.is === 'done') return end.value
    const result = end.is === 'full' ? refusal('BUSY', 'Too many actions wait.') : refusal('SUPERSEDED')
    core.finish(work.commandId, result, { work: core.record.work })
    return result
  }

  async #carryOut(work: Work, run: () => Promise<CommandResult>): Promise<CommandResult> {
    const { core } = this
    let result: CommandResult
    try {
      result = await run()
    } catch (error) {
      this.#onReport(error)
      result = refusal('INTERNAL', 'The agent failed; its log knows more.')
    }
    await core.deps.faults('command.finished')
    const others = work.kind === 'kill' && core.record.work?.commandId !== work.commandId ? core.record.work : null
    core.finish(work.commandId, result, others === null ? {} : { work: others })
    if (!result.ok) core.tell(`${work.kind}: ${result.code}${result.detail === '' ? '' : ` (${result.detail})`}`)
    return result
  }

  #applySuspension(spec: ServerSpec): void {
    if (!spec.suspended) return
    this.#cancelRestart()
    for (const listener of this.core.listeners) listener.suspended()
    if (this.core.isLive) void this.power('stop').catch(this.#onReport)
  }

  #scheduleRestart(): void {
    const { restartAtMs, state } = this.core.record
    if (restartAtMs === null || state !== 'crashed') return
    this.#cancelRestart()
    const delayMs = Math.max(0, restartAtMs - this.core.deps.clock.now())
    this.#cancelRestart = this.core.deps.timers.after(delayMs, () => {
      void this.power('start').catch(this.#onReport)
    })
  }
}
