/** The facts that were sent along with a ticket, as an answer has them: the mark alone where the reader has the content. */
interface Sent {
  readonly server?: object | undefined
  readonly serverMark?: string | undefined
}

/** The part of a query that names the facts of a ticket that a page has already, so that they are not sent again. */
export const sentServerQuery = (known: Sent | undefined): { readonly serverMark?: string } =>
  known?.server === undefined || known.serverMark === undefined ? {} : { serverMark: known.serverMark }

/** The newest answer, with what was sent along from the page if the answer leaves out exactly that. */
export const withSentServer = <View extends Sent>(known: View | undefined, newest: View): View =>
  newest.server === undefined && newest.serverMark !== undefined && known?.serverMark === newest.serverMark
    ? { ...newest, server: known.server }
    : newest
