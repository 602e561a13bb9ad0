import type * as z from 'zod'
import type { INTERNAL_CALLS } from '#contracts/internal-api/calls.ts'
import type { InternalInput } from '#contracts/internal-api/calls.ts'
import type { API_ROUTES, ApiRoute, ApiRouteName } from '#contracts/routes/routes.ts'
import type { Subject } from '../identity/keys/access-tokens.ts'
import { askControlPlane } from './ask-control-plane.ts'
import type { CallerCall } from './ask-control-plane.ts'
import type { AnyCall, AnyHandler } from './serve-row.ts'

type Routes = typeof API_ROUTES
/** Rows that forward to one call of the control plane. */
export type PassedRoute = {
  [Name in ApiRouteName]: Routes[Name] extends { call: string } ? Name : never
}[ApiRouteName]

type Part<Row, Key extends string> = Row extends Record<Key, infer Found extends z.ZodType> ? z.output<Found> : object
type Id<Row> = Row extends { idAs: infer Field extends string }
  ? { [Key in Field]: string } & Omit<Part<Row, 'path'>, 'id'>
  : object
type Input<Row> = Row extends { inputAs: infer Field extends string; input: infer Found extends z.ZodType }
  ? { [Key in Field]: z.output<Found> }
  : Part<Row, 'input'>
type Asked<Row> = Row extends { call: infer Call extends CallerCall }
  ? Omit<z.input<(typeof INTERNAL_CALLS)[Call]['input']>, 'caller'>
  : never
type Fits<Row> = Part<Row, 'query'> & Input<Row> & Id<Row> extends Asked<Row> ? true : false

/** The compiler refuses a row whose parts do not match the input of its call. */
const _everyRowFits = {} as { readonly [Name in PassedRoute]: Fits<Routes[Name]> } satisfies {
  readonly [Name in PassedRoute]: true
}

const placesOf = (idAs: string, path: unknown): object => {
  const { id, ...others } = path as { readonly id: string }
  return { ...others, [idAs]: id }
}

const inputOf = ({ idAs, inputAs }: ApiRoute, { query, input, path }: AnyCall): object => ({
  ...(query as object | undefined),
  ...(inputAs === undefined ? (input as object | undefined) : { [inputAs]: input }),
  ...(idAs === undefined ? {} : placesOf(idAs, path)),
})

/** The one handler of rows that name a call of the control plane: it adds the caller and forwards the result. */
export const passOn =
  (row: ApiRoute & { readonly call: CallerCall }): AnyHandler =>
  async (call) => {
    const asked = inputOf(row, call) as Omit<InternalInput<CallerCall>, 'caller'>
    return { body: await askControlPlane(row.call, asked, { ...call, subject: call.subject as Subject }) }
  }
