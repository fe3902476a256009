import { InputNumber } from 'antd'
import { Amount, type Quota, quotas } from '@gantry/contract/quotas/quotas'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { Loaded } from '../../ui/detail.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { QuotaMeter } from './quota-meter.tsx'
import styles from './quotas.module.css'

interface QuotaDialogProps {
  cluster: { uuid: string; name: string }
  team: { id: number; name: string }
  onClose: () => void
}

/** A team's quota in a cluster; never below the shares of its stacks. */
export function QuotaDialog({ cluster, team, onClose }: QuotaDialogProps) {
  const query = useRead(
    quotas.onEnvironment,
    { params: { teamId: team.id, envId: cluster.uuid } },
    { keep: false, staleMs: 0 },
  )
  return (
    <Dialog title={t('clusters-ui-quota-title', { team: team.name, cluster: cluster.name })} onClose={onClose}>
      <Loaded query={query}>{(quota) => <QuotaForm quota={quota} teamId={team.id} onClose={onClose} />}</Loaded>
    </Dialog>
  )
}

function QuotaForm({ quota, teamId, onClose }: { quota: Quota; teamId: number; onClose: () => void }) {
  const { hard, allocated, used, envUuid } = quota
  const set = useWrite(quotas.set, { done: 'update-success', quiet: true })
  return (
    <Form
      schema={Amount}
      initial={hard}
      submit={t('ui-save')}
      onCancel={onClose}
      onSubmit={async ({ cpu, memory }) => {
        const body = { envUuid, hard: { cpu: cpu ?? null, memory: memory ?? null } }
        await set.mutateAsync({ named: '', params: { tenant: teamId }, body })
        onClose()
      }}
    >
      <div className={styles.now}>
        <QuotaMeter resource="cpu" hard={hard} allocated={allocated} used={used} />
        <QuotaMeter resource="memory" hard={hard} allocated={allocated} used={used} />
      </div>
      <div className="g-columns">
        <Field filled name="cpu" label={t('stacks-ui-cpu')}>
          <InputNumber
            autoFocus
            min={0}
            step={1}
            suffix={t('stacks-ui-unit-cpu')}
            placeholder={t('stacks-ui-no-limit')}
          />
        </Field>
        <Field filled name="memory" label={t('stacks-ui-memory')}>
          <InputNumber min={0} step={1} suffix={t('stacks-ui-unit-memory')} placeholder={t('stacks-ui-no-limit')} />
        </Field>
      </div>
      <p className="g-faint g-dialog-text">{t('quotas-ui-empty')}</p>
    </Form>
  )
}
