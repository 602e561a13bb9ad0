import type { TextFieldSingleValidation, TextareaFieldValidation } from 'payload'
import { MAX_PATTERN, MAX_WAYS, readPattern } from '#domain/known-errors/pattern.ts'
import type { PatternFault } from '#domain/known-errors/pattern.ts'
import { counterExampleFault, exampleFault } from '#domain/known-errors/staff-rules.ts'
import type { ExampleFault } from '#domain/known-errors/staff-rules.ts'
import { textIn, words } from './languages.ts'
import type { Words } from './languages.ts'

const FAULTS: Readonly<Record<PatternFault, Words>> = {
  empty: words('Enter a pattern.', 'Adj meg egy mintát.', 'Gib ein Muster ein.'),
  'too-long': words(
    `At most ${MAX_PATTERN} characters.`,
    `Legfeljebb ${MAX_PATTERN} karakter lehet.`,
    `Höchstens ${MAX_PATTERN} Zeichen.`,
  ),
  'look-around': words(
    'Look-ahead and look-behind, as in (?=…) or (?<!…), are not allowed.',
    'Előre- és hátratekintés, például (?=…) vagy (?<!…), nem használható.',
    'Vorausschau und Rückschau wie (?=…) oder (?<!…) sind nicht erlaubt.',
  ),
  'back-reference': words(
    String.raw`Back-references such as \1 are not allowed.`,
    String.raw`Visszahivatkozás, például \1, nem használható.`,
    String.raw`Rückverweise wie \1 sind nicht erlaubt.`,
  ),
  unbounded: words(
    'A repetition needs an end of at most 200. Write .{0,80} instead of .*',
    'Az ismétlésnek vége kell legyen, legfeljebb 200. A .* helyett írj .{0,80}-at.',
    'Eine Wiederholung braucht ein Ende, höchstens 200. Schreibe .{0,80} statt .*',
  ),
  'repeated-group': words(
    'A group can be optional, as in (?:…)?, but cannot repeat.',
    'A csoport elhagyható lehet, például (?:…)?, de nem ismétlődhet.',
    'Eine Gruppe darf fehlen, wie in (?:…)?, sich aber nicht wiederholen.',
  ),
  'unknown-escape': words(
    String.raw`Allowed after a backslash: d, D, w, W, s, S, b, B, t and punctuation.`,
    String.raw`Fordított perjel után d, D, w, W, s, S, b, B, t és írásjel állhat.`,
    String.raw`Nach einem Backslash erlaubt: d, D, w, W, s, S, b, B, t und Satzzeichen.`,
  ),
  syntax: words('The pattern is not valid.', 'A minta nem érvényes.', 'Das Muster ist nicht gültig.'),
  'too-many-ways': words(
    `The pattern can fit in more than ${MAX_WAYS} ways. Shorten its repetitions.`,
    `A minta több mint ${MAX_WAYS} módon illeszkedhet. Rövidítsd az ismétléseit.`,
    `Das Muster kann auf mehr als ${MAX_WAYS} Arten passen. Kürze seine Wiederholungen.`,
  ),
  'no-word': words(
    'Each alternative needs at least three plain characters in a row.',
    'Minden változatban legyen legalább három egymást követő sima karakter.',
    'Jede Alternative braucht mindestens drei einfache Zeichen hintereinander.',
  ),
}

const quoted = (line: string): string => line.trim().slice(0, 80)

const sentenceOf = (fault: ExampleFault): Words => {
  if (fault.kind === 'none')
    return words('Enter an example line.', 'Adj meg egy példasort.', 'Gib eine Beispielzeile ein.')
  if (fault.kind === 'too-many') return words('At most 20 lines.', 'Legfeljebb 20 sor lehet.', 'Höchstens 20 Zeilen.')
  const line = quoted(fault.line)
  return fault.kind === 'missed'
    ? words(
        `This line doesn't raise the card: ${line}`,
        `Erre a sorra nem jelenik meg: ${line}`,
        `Diese Zeile löst die Karte nicht aus: ${line}`,
      )
    : words(
        `This line raises the card: ${line}`,
        `Erre a sorra is megjelenik: ${line}`,
        `Diese Zeile löst die Karte aus: ${line}`,
      )
}

/** Refuses a pattern that could hold up a reader's page, or that no line can fit. */
export const refuseBadPattern: TextFieldSingleValidation = (value, { req }) => {
  const read = readPattern(value ?? '')
  return read.ok || textIn(req.i18n.language, FAULTS[read.fault])
}

const examples =
  (faultOf: typeof exampleFault): TextareaFieldValidation =>
  (value, { req, siblingData }) => {
    const { pattern } = siblingData as { pattern?: unknown }
    const fault = faultOf(typeof pattern === 'string' ? pattern : '', value)
    return fault === undefined || textIn(req.i18n.language, sentenceOf(fault))
  }

/** Refuses example lines that the pattern misses. */
export const refuseMissedExamples = examples(exampleFault)
/** Refuses lines that the pattern must not fit, but does. */
export const refuseRaisedExamples = examples(counterExampleFault)
