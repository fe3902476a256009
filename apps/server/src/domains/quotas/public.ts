export { excessVars, mustFit } from './quotas.service.ts'
export { excess, shareName } from './share.ts'
export { usedIn } from './used.service.ts'
