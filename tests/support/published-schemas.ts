import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv, type ValidateFunction } from 'ajv'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDER = resolve(ROOT, process.env['SCHEMAS_DIR'] ?? '../shared/schemas')

/** A published contract, or undefined where the folder is missing: the test then reports that it checks nothing. */
export function publishedSchema(file: string): unknown {
  const path = join(FOLDER, file)
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8'))
  process.stdout.write(`${file} is not in ${FOLDER}: what it says is not looked at.\n`)
  return undefined
}

/** Validates against components of an OpenAPI document, by their names. */
export type Contract = { of(component: string): ValidateFunction }

export function openApiContract(file: string): Contract | undefined {
  const document = publishedSchema(file)
  if (document === undefined) return undefined
  // OpenAPI's own keywords (readOnly, example) are ignored, its formats are PayPal's own names, and one of its patterns
  // is not a valid Unicode expression.
  const ajv = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false, allErrors: true })
  ajv.addSchema(document as object, file)
  return {
    of: (component) => {
      const validate = ajv.getSchema(`${file}#/components/schemas/${component}`)
      if (!validate) throw new Error(`${file} has no ${component}.`)
      return validate
    },
  }
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const typeOf = (value: Json): string =>
  Array.isArray(value) ? 'array' : typeof value === 'number' ? 'number' : typeof value

/** A schema derived from a sample: every key is required, with the sample's type or null. */
export function schemaOfSample(sample: { [key: string]: Json }): object {
  const properties = Object.fromEntries(
    Object.entries(sample).map(([key, value]) => [key, value === null ? {} : { type: [typeOf(value), 'null'] }]),
  )
  return { type: 'object', required: Object.keys(sample), properties }
}

/** Compiles the samples of `stripe-fixtures.json` by the name of their resource. */
export function sampleContract(file: string): Contract | undefined {
  const document = publishedSchema(file) as { resources: Record<string, { [key: string]: Json }> } | undefined
  if (document === undefined) return undefined
  const ajv = new Ajv({ strict: false, allErrors: true })
  return { of: (name) => ajv.compile(schemaOfSample(document.resources[name] ?? {})) }
}

/** The faults of a value, one sentence each; empty when it is valid, or without a contract. */
export function problemsOf(contract: Contract | undefined, component: string, value: unknown): string[] {
  if (!contract) return []
  const validate = contract.of(component)
  if (validate(value) === true) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${component}${instancePath} ${message ?? ''}`)
}
