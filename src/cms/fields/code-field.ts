import type { TextField } from 'payload'
import { normaliseCode } from '#domain/billing/coupon.ts'
import { words } from './languages.ts'

/**
 * A code that customers type, stored as normalised by `normaliseCode`, so that case and spaces do not create a second
 * coupon.
 */
export const codeField = (): TextField => ({
  name: 'code',
  type: 'text',
  label: words('Code', 'Kód', 'Code'),
  required: true,
  unique: true,
  index: true,
  maxLength: 32,
  hooks: { beforeValidate: [({ value }) => normaliseCode(value) ?? (value as unknown)] },
  validate: (value: string | null | undefined) =>
    (typeof value === 'string' && normaliseCode(value) === value) || 'A-Z 0-9 - _ (3-32)',
})
