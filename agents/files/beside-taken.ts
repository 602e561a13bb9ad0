import { numberedPaths } from '#contracts/panel/file-path.ts'
import { FileFailure, refusalOf } from './file-failure.ts'

/** A thing that has its place, and the path of it. */
export interface Placed<Result> {
  readonly path: string
  readonly result: Result
}

/** Calls `place` with the path, and with numbered ones beside it as long as something has them. Throws
 * `ALREADY_EXISTS` if all of them are taken, and everything else that `place` throws. */
export const besideTaken = async <Result>(
  path: string,
  place: (path: string) => Promise<Result>,
): Promise<Placed<Result>> => {
  for (const free of numberedPaths(path)) {
    try {
      return { path: free, result: await place(free) }
    } catch (error) {
      if (refusalOf(error) !== 'ALREADY_EXISTS') throw error
    }
  }
  throw new FileFailure('ALREADY_EXISTS')
}
