import { InputNumber } from 'antd'
import { useState } from 'react'
import { scalesItself } from '@gantry/contract/stacks/scaling/autoscaling'
import { services, type ServiceSummary } from '@gantry/contract/stacks/services'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { wordsOf } from '../../../api/notices.ts'
import { Button } from '../../../ui/button.tsx'
import { Problem } from '../../../ui/feedback/problem.tsx'
import { ShareAfter, useShare } from '../stacks/share-after.tsx'
import styles from './services.module.css'
import { Dialog } from '../../../ui/feedback/dialog.tsx'

/** The number of instances, and its effect on the stack's share. */
export function ScaleDialog({ service, onClose }: { service: ServiceSummary; onClose: () => void }) {
  const { teamId, envId, id } = service
  const detail = useRead(services.get, { params: { teamId, envId, id } })
  const [replicas, setReplicas] = useState<number | null>(service.replicas)
  const [problem, setProblem] = useState('')
  const scale = useWrite(services.scale, { done: 'option-success', quiet: true })
  const spec = detail.data?.spec
  // for an autoscaled service, its present number is a choice: the user may want to fix it
  const isScaled = spec !== undefined && scalesItself(spec)
  const share = useShare({
    teamId,
    envId,
    stack: service.stackUuid,
    now: detail.data,
    next: spec && replicas !== null ? { ...spec, replicas } : undefined,
  })
  const send = async () => {
    if (replicas === null || share.short !== undefined) return
    setProblem('')
    try {
      await scale.mutateAsync({ named: service.name, params: { teamId, envId, id }, query: { replicas } })
      onClose()
    } catch (error) {
      setProblem(wordsOf(error))
    }
  }
  return (
    <Dialog
      title={t('stacks-ui-scale-title', { name: service.name })}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>{t('ui-cancel')}</Button>
          <Button
            primary
            needs={services.scale}
            loading={scale.isPending}
            disabled={
              share.short ??
              (replicas === null
                ? t('replicas-range')
                : replicas === service.replicas && !isScaled && t('stacks-ui-scale-same'))
            }
            onClick={() => void send()}
          >
            {t('stacks-ui-scale')}
          </Button>
        </>
      }
    >
      <form
        className={styles.scale}
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <label className={styles.labelled}>
          <span>{t('stacks-ui-replicas')}</span>
          <InputNumber<number>
            autoFocus
            min={0}
            max={1000}
            precision={0}
            value={replicas}
            onChange={setReplicas}
            suffix={<span className="g-faint">{t('stacks-ui-scale-now', { count: service.replicas })}</span>}
          />
        </label>
        {replicas === 0 && <p className="g-note g-note-warn">{t('stacks-ui-scale-zero')}</p>}
        {isScaled && <p className="g-note g-note-warn">{t('scaling-ui-scale-pauses')}</p>}
        <ShareAfter share={share} />
        <Problem text={problem || (detail.error && wordsOf(detail.error))} />
      </form>
    </Dialog>
  )
}
