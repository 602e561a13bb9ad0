import type { NumberField } from 'payload'
import type { Words } from './languages.ts'

type Options = {
  label: Words
  min?: number
  max?: number
  required?: boolean
  defaultValue?: number
  description?: Words
  /** The bounds that depend on sibling fields; undefined without any. */
  boundsBeside?: (beside: Readonly<Record<string, unknown>>) => readonly [least: number, most: number] | undefined
}

const isWithin = (value: number | null | undefined, [least, most]: readonly [number, number]): boolean =>
  Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most

/** A number without a fraction: forints, percents, ports, MiB. */
export const wholeNumber = (name: string, options: Options): NumberField => ({
  name,
  type: 'number',
  label: options.label,
  min: options.min ?? 0,
  ...(options.max === undefined ? {} : { max: options.max }),
  required: options.required ?? true,
  ...(options.defaultValue === undefined ? {} : { defaultValue: options.defaultValue }),
  ...(options.description === undefined ? {} : { admin: { description: options.description } }),
  validate: (value: number | null | undefined, { siblingData }: { siblingData?: unknown } = {}) => {
    const bounds = options.boundsBeside?.((siblingData ?? {}) as Readonly<Record<string, unknown>>)
    if (bounds) return isWithin(value, bounds) || `${bounds[0]}-${bounds[1]}`
    if (value === null || value === undefined) return options.required === false || 'required'
    if (!Number.isSafeInteger(value)) return 'whole number'
    if (value < (options.min ?? 0)) return `>= ${options.min ?? 0}`
    return options.max === undefined || value <= options.max || `<= ${options.max}`
  },
})
