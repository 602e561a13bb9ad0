/** The height that the messages took on the last page: the next one keeps it free before anything is drawn. */
export const roomKey = 'bakter:message-room'

/**
 * Runs before the first drawing, so that the messages move nothing when they come. The text stands in the page, and the
 * page's policy names it.
 */
export const roomScript = `try{var h=localStorage.getItem(${JSON.stringify(roomKey)});if(h>0)document.documentElement.style.setProperty('--message-room',h+'px')}catch(e){}`
