/** Tables with the columns of the views in schema cms_api, so that a test of the control plane needs no CMS. */
export const CMS_API_STAND_IN = `create schema if not exists cms_api;`
