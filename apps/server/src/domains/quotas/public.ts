export { excessVars, mustFit } from './quotas.service.ts'
export { excess } from './share.ts'
