import { services as calls, type ServiceSummary } from '@gantry/contract/stacks/services'
import type { Stack } from '@gantry/contract/stacks/stacks'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { GoTo, to, useGo } from '../../../ui/link.tsx'
import { MissingPermission } from '../../../ui/may.tsx'
import { atHand, ResourceTable } from '../../../ui/table/resource-table.tsx'
import { useServiceActions } from '../services/use-service-actions.tsx'
import { useServiceBulk } from '../services/use-service-bulk.tsx'
import { toAddService, type FromProduct } from './places.ts'
import { useServiceColumns } from './service-columns.tsx'
import styles from './stacks.module.css'

interface StackServicesProps {
  stack: Stack
  /** The first of them by name; null if the user may not view services. */
  services: readonly ServiceSummary[] | null
  from?: FromProduct | undefined
}

/** A stack's services in their present state. */
export function StackServices({ stack, services, from }: StackServicesProps) {
  const go = useGo()
  const columns = useServiceColumns({ from })
  const { actionsOf, dialog } = useServiceActions()
  const bulk = useServiceBulk()
  if (services === null)
    return (
      <p className={styles.none}>
        <MissingPermission needs={calls.list} />
      </p>
    )
  if (services.length === 0)
    return (
      <p className={styles.none}>
        {t('stacks-ui-services-none')}{' '}
        {stack.state === 'running' && (
          <Button small quiet needs={calls.create} onClick={() => go(toAddService(stack))}>
            {t('stacks-ui-services-first')}
          </Button>
        )}
      </p>
    )
  return (
    <>
      <ResourceTable
        label={t('stacks-ui-services-of', { name: stack.name })}
        query={atHand(services)}
        rowKey={(row) => row.id}
        nameOf={(row) => row.name}
        columns={columns}
        actions={actionsOf}
        bulk={bulk}
      />
      {stack.serviceNum > services.length && (
        <GoTo to={to('app-list', {}, { tab: 'services', keyword: stack.name })}>
          {t('stacks-ui-services-more', { count: stack.serviceNum, name: stack.name })}
        </GoTo>
      )}
      {dialog}
    </>
  )
}
