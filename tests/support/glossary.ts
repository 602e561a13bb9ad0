import ts from 'typescript'
import { LOCALES, type Locale } from '#contracts/locale.ts'

/** A text of the product, and where it stands. */
export type ProductText = { readonly locale: Locale; readonly place: string; readonly text: string }

export type Term = { readonly stems: Readonly<Record<Locale, readonly string[]>>; readonly keys: readonly string[] }
export type Forbidden = { readonly locale: Locale; readonly words: readonly string[]; readonly instead: string }

const rowsOf = (page: string, heading: string): string[][] =>
  (page.split(`## ${heading}\n`)[1] ?? '')
    .split('\n## ', 1)[0]
    ?.split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    ) ?? []

const isLocale = (text: string | undefined): text is Locale =>
  (LOCALES as readonly (string | undefined)[]).includes(text)

/** The table of terms on the page `docs/words.md`. */
export const termsOf = (page: string): Term[] =>
  rowsOf(page, 'Terms').map(([, en = '', hu = '', de = '', where = '']) => ({
    stems: { en: en.split('/'), hu: hu.split('/'), de: de.split('/') },
    keys: [...where.replaceAll(/admin `[^`]*`/g, '').matchAll(/`([^`]+)`/g)].map(([, key = '']) => key),
  }))

/** The table of forbidden words on that page. */
export const forbiddenOf = (page: string): Forbidden[] =>
  rowsOf(page, 'Forbidden').flatMap(([locale, words = '', instead = '']) =>
    isLocale(locale) ? [{ locale, words: words.split(', '), instead }] : [],
  )

/** A word in small letters is forbidden in capitals too; one in capitals only as it is written. */
const patternOf = (word: string): RegExp => {
  const literal = word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const flags = word === word.toLowerCase() ? 'iu' : 'u'
  return new RegExp(String.raw`(?<![\p{L}\p{N}-])${literal}(?![\p{L}\p{N}])`, flags)
}

/** One sentence for each forbidden word in a text. */
export const forbiddenIn = (texts: readonly ProductText[], forbidden: readonly Forbidden[]): string[] => {
  const rules = forbidden.flatMap(({ locale, words, instead }) =>
    words.map((word) => ({ locale, word, instead, pattern: patternOf(word) })),
  )
  return texts.flatMap(({ locale, place, text }) =>
    rules
      .filter((rule) => rule.locale === locale && rule.pattern.test(text))
      .map(({ word, instead }) => `${place} (${locale}) says "${word}", write ${instead}: ${text}`),
  )
}

/** One sentence for each text that does not name its thing as the glossary does. */
export const termsMissing = (
  terms: readonly Term[],
  textOf: (locale: Locale, key: string) => string | undefined,
): string[] =>
  terms.flatMap(({ stems, keys }) =>
    keys.flatMap((key) =>
      LOCALES.flatMap((locale) => {
        const text = textOf(locale, key)
        if (text === undefined) return [`${key} (${locale}) does not exist`]
        const isNamed = stems[locale].some((stem) => text.toLowerCase().includes(stem))
        return isNamed ? [] : [`${key} (${locale}) lacks "${stems[locale].join('" or "')}": ${text}`]
      }),
    ),
  )

const BY_CONSTANT: Readonly<Record<string, Locale>> = { ENGLISH: 'en', HUNGARIAN: 'hu', GERMAN: 'de' }

const isText = (node: ts.Node): node is ts.LiteralLikeNode =>
  ts.isStringLiteral(node) ||
  ts.isNoSubstitutionTemplateLiteral(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddleOrTemplateTail(node)

/** The language in which a node's literals are written, if the node decides it. */
const localeAt = (node: ts.Node): Locale | undefined => {
  if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) return BY_CONSTANT[node.name.text]
  if (ts.isPropertyAssignment(node)) return isLocale(node.name.getText()) ? (node.name.getText() as Locale) : undefined
  const call = node.parent
  const isWords = call && ts.isCallExpression(call) && call.expression.getText() === 'words'
  return isWords ? LOCALES[call.arguments.indexOf(node as ts.Expression)] : undefined
}

/**
 * The texts that a source file holds in a language: arguments of `words(en, hu, de)`, values of `{ en, hu, de }`, and
 * constants named after a language. `whole` says that the entire file is written in one.
 */
export const textsIn = (place: string, source: string, whole?: Locale): ProductText[] => {
  const file = ts.createSourceFile(place, source, ts.ScriptTarget.Latest, true)
  const found: ProductText[] = []
  const visit = (node: ts.Node, locale: Locale | undefined): void => {
    if (ts.isImportDeclaration(node)) return
    const here = localeAt(node) ?? locale
    if (here !== undefined && isText(node)) found.push({ locale: here, place, text: node.text })
    ts.forEachChild(node, (child) => visit(child, here))
  }
  visit(file, whole)
  return found
}
