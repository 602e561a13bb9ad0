/** The values with which a program starts. */
export type StartedWith = {
  readonly environment: Readonly<Record<string, string>>
  readonly image: string | null
  readonly argv: readonly string[]
  readonly ports: readonly number[]
  readonly memoryMiB: number
}

/** The values of a running program that differ from the saved ones. */
export type RunningDifference = {
  readonly variables: readonly string[]
  readonly image: boolean
  /** The command itself, the ports or the memory. */
  readonly rest: boolean
}

const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((value, index) => value === other[index])

/** Compares what the running program was started with and what the next start would use. */
export function runningDifference(started: StartedWith, saved: StartedWith): RunningDifference {
  const names = new Set([...Object.keys(started.environment), ...Object.keys(saved.environment)])
  const isOther = (name: string) => started.environment[name] !== saved.environment[name]
  return {
    variables: [...names].filter(isOther),
    image: started.image !== saved.image,
    rest:
      started.memoryMiB !== saved.memoryMiB ||
      !isSameList(started.argv, saved.argv) ||
      !isSameList(started.ports, saved.ports),
  }
}
