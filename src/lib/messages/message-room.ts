/** The height of the messages on the last page; the next page reserves it before the first paint. */
export const roomKey = 'bakter:message-room'

/**
 * Runs before the first paint, so that late messages do not shift the layout. The script is inline, and the page's
 * policy lists its hash.
 */
export const roomScript = `try{var h=localStorage.getItem(${JSON.stringify(roomKey)});if(h>0)document.documentElement.style.setProperty('--message-room',h+'px')}catch(e){}`
