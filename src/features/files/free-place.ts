import { numberedPaths } from '#contracts/panel/file-path.ts'
import { FileTrouble } from './file-trouble.ts'

const isTaken = (failure: unknown): boolean => failure instanceof FileTrouble && failure.code === 'ALREADY_EXISTS'

/** Runs with the path, and with numbered ones beside it as long as something has them. Rejects as the last run. */
export const inFreePlace = async <Result>(path: string, run: (path: string) => Promise<Result>): Promise<Result> => {
  const paths = numberedPaths(path)
  for (const free of paths.slice(0, -1)) {
    try {
      return await run(free)
    } catch (failure) {
      if (!isTaken(failure)) throw failure
    }
  }
  return run(paths.at(-1) ?? path)
}
