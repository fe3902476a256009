import { containers } from '@gantry/contract/stacks/containers/containers'
import type { ServiceSummary } from '@gantry/contract/stacks/services'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { GoTo, useGo } from '../../../ui/link.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { timeColumn } from '../../../ui/table/time-column.tsx'
import { DriftBadge, ImageName, Ready, ServiceBadge } from '../services/badges.tsx'
import { isAsWanted } from '../services/service-states.ts'
import { troubleOf } from '../services/trouble.ts'
import { toService, type FromProduct } from './places.ts'

interface ServiceColumns {
  from?: FromProduct | undefined
  /** The list has services of several stacks, so that each row names its stack. */
  ofMany?: boolean
}

/** The columns of lists of services; each row links to its containers, and to its log in one click. */
export function useServiceColumns({ from, ofMany = false }: ServiceColumns): readonly Column<ServiceSummary>[] {
  const go = useGo()
  return [
    {
      key: 'name',
      title: t('stacks-ui-service'),
      sort: ofMany,
      cell: (row) => <ServiceCell service={row} from={from} />,
    },
    ...(ofMany
      ? [
          {
            key: 'stack',
            title: t('stacks-ui-stack'),
            sort: true,
            cell: (row: ServiceSummary) => row.stackName,
          },
        ]
      : []),
    {
      key: 'state',
      title: t('stacks-ui-state'),
      cell: (row) => (
        <>
          <ServiceBadge service={row} /> {row.drift > 0 && <DriftBadge />}
        </>
      ),
    },
    {
      key: 'ready',
      title: t('stacks-ui-ready'),
      width: 88,
      cell: (row) => (row.type === 'business' ? <Ready service={row} /> : '–'),
    },
    {
      key: 'image',
      title: t('stacks-ui-image'),
      min: 232,
      // Until the new image runs, the digest is still that of the old one.
      cell: (row) =>
        row.type === 'business' ? (
          <ImageName image={row.image} digest={isAsWanted(row.state) ? row.digest : ''} />
        ) : (
          <span className="g-faint">{t(`outward-ui-type-${row.type}`)}</span>
        ),
    },
    timeColumn('updatedAt', t('ui-changed'), { sort: ofMany, wideOnly: true }),
    { key: 'by', title: t('stacks-ui-by'), wideOnly: true, cell: (row) => row.changedBy || '–' },
    {
      key: 'look',
      title: t('stacks-ui-look'),
      width: 88,
      cell: (row) =>
        row.type === 'business' && (
          <span className="g-line-buttons">
            <Button
              small
              quiet
              icon="log"
              label={t('stacks-ui-log-of', { name: row.name })}
              needs={containers.log}
              onClick={() => go(toService(row, { tab: 'log' }, from))}
            />
            <Button
              small
              quiet
              icon="terminal"
              label={t('stacks-ui-terminal-of', { name: row.name })}
              needs={containers.execute}
              disabled={row.ready === 0 && t('stacks-ui-terminal-none')}
              onClick={() => go(toService(row, { tab: 'terminal' }, from))}
            />
          </span>
        ),
    },
  ]
}

/** The name, and below it the problem and its remedy; or that an upgrade waits for a decision. */
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
