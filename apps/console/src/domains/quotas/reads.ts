import { quotas } from '@gantry/contract/quotas/quotas'

/** What shows another figure when a quota is set. */
export const quotaReads = [quotas.all, quotas.ofTeam, quotas.onEnvironment, quotas.namespaces]
