import { copies } from '@gantry/contract/stacks/copies/copies'
import type { ServiceCopy } from '@gantry/contract/stacks/copies/copy'
import type { ServiceDetail } from '@gantry/contract/stacks/services'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { exactTime } from '../../../ui/format.ts'
import styles from './spec.module.css'

/** The progress of a gray deployment's step. */
function progressOf({ until, waits }: ServiceCopy): string {
  if (waits) return t('stacks-ui-gray-waits')
  return until === null ? t('stacks-ui-gray-settling') : t('stacks-ui-gray-until', { time: exactTime(until) })
}

/** The copy of a service: its addresses, and the steps of a gray upgrade. */
export function OpenCopy({ service, copy }: { service: ServiceDetail; copy: ServiceCopy }) {
  const { teamId, envId, id, name, state } = service
  const goOn = useWrite(copies.goOn, { done: 'option-success' })
  const { steps, step, addresses, instances, header } = copy
  const weight = steps[step]?.weight
  const isGoing = state === 'upgrading' && weight !== undefined
  return (
    <div className={styles.copy}>
      {weight !== undefined && (
        <p>
          <b>{t('stacks-ui-gray-at', { step: step + 1, all: steps.length, weight })}</b>{' '}
          {header && `${t('stacks-ui-gray-header', header)} `}
          <span className="g-faint">
            {t('stacks-ui-gray-instances', { fresh: instances.new, old: instances.old })}
            {isGoing && ` · ${progressOf(copy)}`}
          </span>
        </p>
      )}
      {addresses.length > 0 && (
        <p className="g-row">
          <span className="g-faint">{t('stacks-ui-copy-at')}</span>
          {addresses.map((url) => (
            <Copyable key={url} text={url} />
          ))}
        </p>
      )}
      {isGoing && (copy.waits || copy.until !== null) && (
        <Button
          primary
          icon="arrow"
          needs={copies.goOn}
          loading={goOn.isPending}
          onClick={() => goOn.mutate({ named: name, params: { teamId, envId, id } })}
        >
          {t('stacks-ui-gray-go-on')}
        </Button>
      )}
    </div>
  )
}
