import type { Field } from 'payload'
import { words } from './languages.ts'

/** Staff's switches of every offer, a service or a package: whether it is sold, and shown first. */
export const offerSwitches: Field[] = [
  {
    name: 'orderable',
    type: 'checkbox',
    required: true,
    defaultValue: true,
    index: true,
    label: words('Orderable', 'Rendelhető', 'Bestellbar'),
    admin: { position: 'sidebar' },
  },
  {
    name: 'highlighted',
    type: 'checkbox',
    required: true,
    defaultValue: false,
    label: words('Highlighted', 'Kiemelt', 'Hervorgehoben'),
    admin: { position: 'sidebar' },
  },
]
