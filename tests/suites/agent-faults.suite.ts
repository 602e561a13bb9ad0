import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { expect } from 'vitest'

import { buildServerSpec, nextId, SERVER_ID } from '../factories/server-spec.ts'
import type { AgentUnderTest } from '../support/agent-process.ts'
import type { ControlPlaneStandIn } from '../support/control-plane-stand-in.ts'
import { expectInvariants } from '../support/server-invariants.ts'
import { waitFor } from '../support/wait-for.ts'
import type { ServerSpec } from '../../src/contracts/agent/server-spec.ts'

export const FAULT_STEPS = ['install', 'start', 'stop', 'kill', 'reinstall', 'suspend', 'delete'] as const
export type FaultStep = (typeof FAULT_STEPS)[number]
const FINAL: Readonly<Record<FaultStep, 'offline' | 'running' | 'deleted'>> = {
  install: 'offline',
  start: 'running',
  stop: 'offline',
  kill: 'offline',
  reinstall: 'offline',
  suspend: 'offline',
  delete: 'deleted',
}

/** A node with successive agents on the same disk. */
export interface FaultRig {
  readonly controlPlane: ControlPlaneStandIn
  readonly data: string
  readonly spec: Partial<ServerSpec>
  /** Starts a new agent and waits until it is ready; `fault` is its plan, empty for none. */
  open(fault: string): Promise<AgentUnderTest>
  /** Running programs of the server, whether the agent knows them or not. */
  running(): Promise<number> | number
}

/**
 * One agent goes through all steps of a server's life and fails at the fault point; after each step S-1 to S-5 hold.
 */
export class FaultStory {
  readonly #rig: FaultRig
  readonly #commands: string[] = []
  #agent: AgentUnderTest | undefined
  #generation = 1
  #starts = 0
  #failedStarts = 0

  constructor(rig: FaultRig) {
    this.#rig = rig
  }

  /** Resolves with the first agent once all steps are done. */
  async tell(fault: string, steps: readonly FaultStep[]): Promise<AgentUnderTest> {
    const first = await this.#rig.open(fault)
    this.#agent = first
    for (const step of steps) {
      if (step === 'suspend' || step === 'delete') this.#generation += 1
      if (step === 'start') this.#starts += 1
      if (step === 'reinstall') this.#forgetStarts()
      await this.#reach(step)
      if (step === 'install' || step === 'reinstall') expect(this.#rootFile('installed.txt')).toContain('installed\n')
      if (step === 'reinstall') expect(this.#rootFile('world.json')).toBe('')
      if (step === 'stop') expect(this.#rootFile('world.json')).toContain('saved')
    }
    expect(existsSync(path.join(this.#rig.data, 'servers/acdefghj'))).toBe(false)
    return first
  }

  /** Ends the running agent. */
  async end(): Promise<void> {
    if (this.#agent?.process.isRunning()) await this.#agent.process.stop(20_000)
  }

  /** A reinstallation removes the files, and the game's own count of its starts with them. */
  #forgetStarts(): void {
    this.#starts = 0
    this.#failedStarts = 0
  }

  #rootFile(name: string): string {
    const file = path.join(this.#rig.data, 'servers/acdefghj/root', name)
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }

  #send(step: FaultStep, id: string): void {
    const generation = this.#generation
    // Time to save the world, also on a machine that stands still for seconds.
    const lasting = { stopTimeoutMs: 30_000, ...this.#rig.spec }
    const spec = buildServerSpec({ ...lasting, generation, suspended: step === 'suspend' })
    const fields = { id, serverId: SERVER_ID, generation, requestId: 'request' }
    const { controlPlane } = this.#rig
    if (step === 'install') controlPlane.command({ ...fields, kind: 'install', spec })
    else if (step === 'suspend') controlPlane.command({ ...fields, kind: 'update', spec })
    else if (step === 'reinstall') controlPlane.command({ ...fields, kind: 'reinstall', wipe: true, spec })
    else if (step === 'delete') controlPlane.command({ ...fields, kind: 'delete', tombstone: true })
    else controlPlane.command({ ...fields, kind: 'power', action: step, spec })
  }

  /** Sends the command, which the control plane repeats in every session until it is answered. */
  async #run(step: FaultStep): Promise<boolean> {
    const { controlPlane } = this.#rig
    const id = nextId()
    this.#commands.push(id)
    this.#send(step, id)
    let restarted = false
    await waitFor(
      `${step} to be answered`,
      async () => {
        if (this.#agent?.process.isRunning() === false && !restarted) {
          restarted = true
          this.#agent = await this.#rig.open('')
        }
        return controlPlane.finished(id).length > 0
      },
      60_000,
    )
    return controlPlane.finished(id).some((event) => event.kind === 'command.finished' && event.ok)
  }

  async #reach(step: FaultStep): Promise<void> {
    // A fault that throws fails its command; the reconcile loop sends it once more under a new id.
    if (!(await this.#run(step))) {
      if (step === 'start') this.#failedStarts += 1
      expect(await this.#run(step), `${step} once more`).toBe(true)
    }
    await waitFor(`the state after ${step}`, async () => {
      // A supervisor restarts an agent that was killed after its response.
      if (this.#agent?.process.isRunning() === false) this.#agent = await this.#rig.open('')
      const { controlPlane } = this.#rig
      if (controlPlane.lastState() !== FINAL[step]) throw new Error(`It is ${controlPlane.lastState()}.`)
      return true
    })
    await this.#check(step)
  }

  async #check(step: FaultStep): Promise<void> {
    const begun = this.#rootFile('starts.txt').split('\n').length - 1
    const isGone = step === 'delete'
    expectInvariants({
      running: await this.#rig.running(),
      begun,
      // A failed start may have begun its program, and has ended it.
      asked: isGone ? 0 : Math.max(this.#starts, Math.min(begun, this.#starts + this.#failedStarts)),
      told: FINAL[step] === 'deleted' ? 'deleted' : FINAL[step],
      suspended: step === 'suspend',
      commands: this.#commands,
      answers: this.#rig.controlPlane.list().flatMap((event) => (event.kind === 'command.finished' ? [event] : [])),
    })
  }
}
