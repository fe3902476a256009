import { permissionsOf } from '@gantry/contract/endpoint'
import { containers } from '@gantry/contract/stacks/containers'
import { services, type ServiceSummary } from '@gantry/contract/stacks/services'
import type { Stack } from '@gantry/contract/stacks/stacks'
import { pageCap } from '@gantry/contract/paging'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { GoTo, useGo, useTeamId } from '../../../ui/link.tsx'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { Time } from '../../../ui/time.tsx'
import { ImageName, Ready, ServiceBadge } from '../services/badges.tsx'
import { toAddService, toService, type FromProduct } from './places.ts'
import { isAsWanted, isSettled } from '../services/service-states.ts'
import { troubleOf } from '../services/trouble.ts'
import { useFollowed } from '../services/use-followed.ts'
import { useServiceActions } from '../services/use-service-actions.tsx'
import styles from './stacks.module.css'

/** A stack's services as they are now; each leads to its containers, its log is one click away. */
export function StackServices({ stack, from }: { stack: Stack; from?: FromProduct }) {
  const teamId = useTeamId()
  const go = useGo()
  const { actionsOf, dialog } = useServiceActions()
  const query = useFollowed(
    services.list,
    { params: { teamId, envId: stack.envId, uuid: stack.uuid }, query: { pageSize: -1 } },
    { teamId, stackId: stack.id },
    (data) => data.items.every(isSettled),
    // One that is going is gone between two looks.
    { enabled: stack.state !== 'deleting' },
  )
  if (query.data?.totalSize === 0)
    return (
      <p className={styles.none}>
        {t('stacks-ui-services-none')}{' '}
        {stack.state === 'running' && (
          <Button small quiet needs="stack_service_create" onClick={() => go(toAddService(stack))}>
            {t('stacks-ui-services-first')}
          </Button>
        )}
      </p>
    )
  return (
    <>
      <ResourceTable
        label={t('stacks-ui-services-of', { name: stack.name })}
        query={query}
        rowKey={(row) => row.id}
        nameOf={(row) => row.name}
        columns={[
          {
            key: 'name',
            title: t('stacks-ui-service'),
            cell: (row) => <ServiceCell service={row} from={from} />,
          },
          { key: 'state', title: t('stacks-ui-state'), width: 132, cell: (row) => <ServiceBadge service={row} /> },
          { key: 'ready', title: t('stacks-ui-ready'), width: 96, cell: (row) => <Ready service={row} /> },
          {
            key: 'image',
            title: t('stacks-ui-image'),
            // Until the new image runs, the digest is still the old one's.
            cell: (row) => <ImageName image={row.image} digest={isAsWanted(row.state) ? row.digest : ''} />,
          },
          {
            key: 'updated',
            title: t('stacks-ui-changed'),
            width: 120,
            wideOnly: true,
            cell: (row) => <Time at={row.updatedAt} />,
          },
          {
            key: 'look',
            title: t('stacks-ui-look'),
            width: 88,
            cell: (row) => (
              <span className="g-line-buttons">
                <Button
                  small
                  quiet
                  icon="log"
                  label={t('stacks-ui-log-of', { name: row.name })}
                  needs="stack_container_view"
                  onClick={() => go(toService(row, { tab: 'log' }, from))}
                />
                <Button
                  small
                  quiet
                  icon="terminal"
                  label={t('stacks-ui-terminal-of', { name: row.name })}
                  needs={permissionsOf(containers.execute.access)}
                  disabled={row.ready === 0 && t('stacks-ui-terminal-none')}
                  onClick={() => go(toService(row, { tab: 'terminal' }, from))}
                />
              </span>
            ),
          },
        ]}
        actions={actionsOf}
      />
      {query.data?.truncated && <p className="g-faint">{t('stacks-ui-services-cut', { count: pageCap })}</p>}
      {dialog}
    </>
  )
}

/** The name, and below it what is wrong and what to do; or that an upgrade waits for a decision. */
function ServiceCell({ service, from }: { service: ServiceSummary; from: FromProduct | undefined }) {
  const { state } = service
  const words = troubleOf(service)
  return (
    <div>
      <GoTo to={toService(service, {}, from)}>{service.name}</GoTo>
      {words !== '' && (
        <p className={state === 'failed' ? 'g-message g-bad' : 'g-message'} title={words}>
          {words}
        </p>
      )}
      {state === 'upgraded' && words === '' && (
        <p className="g-message">
          <GoTo to={toService(service, {}, from)}>{t('stacks-ui-decide')}</GoTo>
        </p>
      )}
    </div>
  )
}
