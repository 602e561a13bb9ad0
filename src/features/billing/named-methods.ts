const NAMED = ['sandbox', 'barion', 'paypal', 'stripe', 'phone'] as const

/** Whether the messages name this way to pay; one of a newer control plane is shown by its id. */
export const isNamedMethod = (id: string): id is (typeof NAMED)[number] => (NAMED as readonly string[]).includes(id)
