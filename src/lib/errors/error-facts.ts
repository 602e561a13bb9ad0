const mostFrames = 12

const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
const personal: readonly (readonly [RegExp, string])[] = [
  // Some browsers write a place in a script as `function@https://...`; it stays.
  [/[^\s@"'<>():/]+@[^\s@"'<>():/]+\.[^\s@"'<>():/]+/g, '<address>'],
  [/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, '<id>'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, '<ip>'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
  [/\b(?=[\w-]*\d)[\w-]{32,}\b/g, '<token>'],
  // Some errors quote page input at length; a name in single quotes belongs to the code.
  [/"[^"\n]{24,}"/g, '"<text>"'],
  [/[?#][^\s)"':]*/g, ''],
]

/** The text of an error without personal data and without characters that mislead the reader of a log. */
export const scrubbed = (text: string, most: number): string => {
  let plain = text.slice(0, 4 * most).replaceAll(control, ' ')
  for (const [pattern, instead] of personal) plain = plain.replaceAll(pattern, instead)
  return plain.trim().slice(0, most)
}

/** The innermost frames of a stack; the first line repeats the message in some browsers and is skipped. */
const framesOf = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => /:\d+:\d+\)?$/.test(line.trim()))
    .slice(0, mostFrames)
    .join('\n')

/** The report of a browser error: no user text, no ids, no query. */
export const errorFacts = (error: { name?: unknown; message?: unknown; stack?: unknown }, path: string) => ({
  name: scrubbed(String(error.name ?? 'Error'), 64),
  message: scrubbed(String(error.message ?? ''), 300),
  stack: scrubbed(framesOf(String(error.stack ?? '')), 3_000),
  page: scrubbed(path, 200),
})
