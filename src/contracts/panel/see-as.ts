/** The header with the id of the collaborator as whom the caller looks at the server of the call. */
export const SEE_AS_HEADER = 'x-see-as'
