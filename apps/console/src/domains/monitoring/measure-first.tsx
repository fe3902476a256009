import { monitoring } from '@gantry/contract/monitoring/metrics'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'

interface MeasureFirstProps {
  teamId: number
  env: string
  stackId: number
  service: number
  /** The name of a pod or a container. */
  container: string
}

/** Gives a container priority in sampling, if a cluster has more containers than are sampled. */
export function MeasureFirst({ teamId, env, stackId, service, container }: MeasureFirstProps) {
  const turnOn = useWrite(monitoring.containerOn, { done: () => t('monitoring-ui-measured-first') })
  return (
    <div className="g-row">
      <Button
        icon="play"
        needs={monitoring.containerOn}
        loading={turnOn.isPending}
        onClick={() => turnOn.mutate({ params: { t: teamId, e: env, s: stackId, svc: service, i: container } })}
      >
        {t('monitoring-ui-measure-first')}
      </Button>
    </div>
  )
}
