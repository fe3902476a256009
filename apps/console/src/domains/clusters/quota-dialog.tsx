import { InputNumber, Modal } from 'antd'
import type { Environment } from '@gantry/contract/clusters/environments'
import { Amount, quotas } from '@gantry/contract/quotas/quotas'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { Field, Form } from '../../ui/form.tsx'

interface QuotaDialogProps {
  cluster: Environment
  team: { id: number; name: string }
  onClose: () => void
}

/** What a team may have of a cluster; never below what its stacks have of it. */
export function QuotaDialog({ cluster, team, onClose }: QuotaDialogProps) {
  const query = useRead(
    quotas.onEnvironment,
    { params: { teamId: team.id, envId: cluster.uuid } },
    { keep: false, staleMs: 0 },
  )
  const set = useWrite(quotas.set, {
    refreshes: [quotas.onEnvironment, quotas.ofTeam],
    done: 'update-success',
    quiet: true,
  })
  return (
    <Modal
      open
      title={t('clusters-ui-quota-title', { team: team.name, cluster: cluster.name })}
      footer={null}
      onCancel={onClose}
    >
      <Loaded query={query}>
        {({ hard, allocated }) => (
          <Form
            schema={Amount}
            initial={hard}
            submit={t('ui-save')}
            onCancel={onClose}
            onSubmit={async ({ cpu, memory }) => {
              const body = { envUuid: cluster.uuid, hard: { cpu: cpu ?? null, memory: memory ?? null } }
              await set.mutateAsync({ params: { tenant: team.id }, body })
              onClose()
            }}
          >
            <p className="g-dialog-text">
              {t('clusters-ui-quota-given', { cpu: allocated.cpu, memory: allocated.memory })}
            </p>
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
                <InputNumber
                  min={0}
                  step={1}
                  suffix={t('stacks-ui-unit-memory')}
                  placeholder={t('stacks-ui-no-limit')}
                />
              </Field>
            </div>
            <p className="g-faint">{t('clusters-ui-quota-empty')}</p>
          </Form>
        )}
      </Loaded>
    </Modal>
  )
}
