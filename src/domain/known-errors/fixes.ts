import { isNoError, readableText } from './match.ts'

/** Which Java a line asks for: at least this one, or at most. */
export type JavaNeed = { readonly kind: 'at-least' | 'at-most'; readonly version: number }
export type JavaImage = { readonly label: string; readonly image: string }

const AT_LEAST = /requires (?:running the server with )?java (\d{1,2})\b/i
/** `65.0` is the class file version of Java 21. The first one of the line is the one that was met. */
const CLASS_FILE = /class file version (\d{2})\b/i
const CLASS_FILE_OF_JAVA = 44
const AT_MOST = /only up to java (\d{1,2}) is supported/i

/** The Java that a line of the rule `java-version` names; undefined when it names none. */
export const javaNeedOf = (line: string): JavaNeed | undefined => {
  const text = readableText(line)
  const most = AT_MOST.exec(text)?.[1]
  if (most !== undefined) return { kind: 'at-most', version: Number(most) }
  const least = AT_LEAST.exec(text)?.[1]
  if (least !== undefined) return { kind: 'at-least', version: Number(least) }
  const built = Number(CLASS_FILE.exec(text)?.[1] ?? 0) - CLASS_FILE_OF_JAVA
  return built > 0 ? { kind: 'at-least', version: built } : undefined
}

const JAVA = /(?:java|jdk|jre|temurin|corretto)[\s:_-]{0,2}(\d{1,2})\b/i

/** The Java of an image: its label says it, or else its name. */
export const javaOfImage = ({ label, image }: JavaImage): number | undefined => {
  const said = JAVA.exec(label)?.[1] ?? JAVA.exec(image)?.[1]
  return said === undefined ? undefined : Number(said)
}

type Images = { readonly current: string; readonly choices: readonly JavaImage[] }

/**
 * The image with the Java that a line asks for, and the closest to it. None when the current one is not on the list:
 * it could not be chosen again.
 */
export const fittingImage = (need: JavaNeed, { current, choices }: Images): JavaImage | undefined => {
  if (!choices.some(({ image }) => image === current)) return undefined
  const away = (choice: JavaImage): number => {
    const java = javaOfImage(choice)
    if (java === undefined || choice.image === current) return Number.POSITIVE_INFINITY
    const over = need.kind === 'at-least' ? java - need.version : need.version - java
    return over < 0 ? Number.POSITIVE_INFINITY : over
  }
  const [closest] = choices.toSorted((one, other) => away(one) - away(other) || 0)
  return closest !== undefined && Number.isFinite(away(closest)) ? closest : undefined
}

/** How many lines before the one of a rule may name the file. */
export const LINES_ABOVE = 3
const OWN_FILE = /\b((?:plugins|mods)\/[\w .+()-]{1,120}?\.jar)\b/gi
const NOT_LOADED = /Could not load '?((?:plugins|mods)\/[\w .+()-]{1,120}?\.jar)'?/i

/**
 * The file of the plugin or mod that could not be loaded, undefined when the lines name none or several: the line of the
 * rule itself, or the loader's own words in the lines right above it, the nearest first.
 */
export const pluginFileOf = (line: string, above: readonly string[]): string | undefined => {
  const own = new Set([...readableText(line).matchAll(OWN_FILE)].map(([, path]) => path))
  if (own.size > 0) return own.size === 1 ? [...own][0] : undefined
  for (const text of above.slice(-LINES_ABOVE).map(readableText).toReversed()) {
    const found = isNoError(text) ? undefined : NOT_LOADED.exec(text)?.[1]
    if (found !== undefined) return found
  }
  return undefined
}
