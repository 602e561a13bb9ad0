/** The fields that lanes use; all others are for `run`. */
export interface LanedSuite {
  isBeside?: boolean
  needs?: string
}
export function runInLanes<Suite extends LanedSuite, Result>(
  suites: readonly (readonly [name: string, suite: Suite])[],
  options: {
    run: (name: string, suite: Suite, how: { isBeside: boolean }) => Promise<Result>
    tell?: (result: Result) => void
    isStopped?: () => boolean
  },
): Promise<Result[]>
