export { QuotaDialog } from './quota-dialog.tsx'
export { QuotaKey, QuotaMeter } from './quota-meter.tsx'
export { TeamNamespaces } from './team-namespaces.tsx'
export { TeamQuotas } from './team-quotas.tsx'
