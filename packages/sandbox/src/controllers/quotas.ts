import { usage } from '../api/admission/quota.ts'
import { formatQuantity } from '../objects/quantity.ts'
import { sameValue } from '../objects/record.ts'
import { keyOf, type Controller } from './loop.ts'

/** Maintains the reported usage of quotas. Admission counts by itself and never reads it. */
export const quotas: Controller = {
  name: 'quotas',
  affected({ store }, { resource, object }) {
    if (resource === 'resourcequotas') return [keyOf(object)]
    const { namespace } = object.metadata
    return namespace === undefined || resource === 'events' ? [] : store.list('resourcequotas', namespace).map(keyOf)
  },
  reconcile({ store }, namespace, name) {
    const quota = store.get('resourcequotas', namespace, name)
    if (!quota) return
    const hard = quota.spec?.hard ?? {}
    const used = usage(store, namespace, Object.keys(hard))
    const amounts = Object.fromEntries([...used].map(([key, amount]) => [key, formatQuantity(amount)]))
    const status = { hard, used: amounts }
    if (!sameValue(status, quota.status)) store.put('resourcequotas', { ...quota, status })
  },
}
