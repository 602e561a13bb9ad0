export type ShownError = { message: string | null; status: number; reportId: string | null }

type Thrown = { message?: string; digest?: string; status?: unknown; statusCode?: unknown; requestId?: unknown }

const statusOf = ({ status, statusCode }: Thrown): number =>
  [status, statusCode].find((value): value is number => typeof value === 'number' && value >= 400 && value <= 599) ??
  500

/**
 * The facts on the error page: the error's own message if it has one (specification section 8; null stands for
 * 'Error'), its status or 500, and the id under which the server logged it. A server error carries only that id,
 * because its text is the framework's and helps nobody. A failed call carries its request id.
 */
export const shownError = (error: Thrown): ShownError => ({
  message: error.digest ? null : error.message?.trim() || null,
  status: statusOf(error),
  reportId: error.digest ?? (typeof error.requestId === 'string' ? error.requestId : null),
})
