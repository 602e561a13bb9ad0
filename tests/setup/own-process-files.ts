import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const TEST = /\.test\.tsx?$/
/** A mocked module or global, another environment, a variable of the process, or a file that says so. */
const LEAVES_SOMETHING = [
  /\bvi\.(?:mock|doMock|stubGlobal|stubEnv|useFakeTimers)\(/,
  /^\/\/ @vitest-environment /m,
  /\bObject\.assign\(process\.env,|\bprocess\.env(?:\.\w+|\['\w+'\]) (?:\?\?)?= /,
  /^\/\/ Needs a process of its own: /m,
]
const IMPORT = /(?:from|import) '(\.{1,2}\/[^']+\.tsx?)'/g

/**
 * The test files below a folder that do to their process what the next file would find there, themselves or by what they
 * import of the tests' own code. All others share the processes of their workers, so that what they import is loaded once.
 */
export function ownProcessFiles(folder: string, testsRoot: string = folder): string[] {
  const verdicts = new Map<string, boolean>()
  const leavesSomething = (path: string): boolean => {
    const known = verdicts.get(path)
    if (known !== undefined) return known
    // Files that import one another end here.
    verdicts.set(path, false)
    const text = readFileSync(path, 'utf8')
    const imports = [...text.matchAll(IMPORT)].map(([, name = '']) => resolve(dirname(path), name))
    const verdict =
      LEAVES_SOMETHING.some((pattern) => pattern.test(text)) ||
      imports.some((name) => name.startsWith(testsRoot) && existsSync(name) && leavesSomething(name))
    verdicts.set(path, verdict)
    return verdict
  }
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => TEST.test(name))
    .map((name) => join(folder, name))
    .filter(leavesSomething)
    .toSorted()
}
