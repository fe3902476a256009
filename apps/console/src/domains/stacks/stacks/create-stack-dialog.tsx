import { Input, Select } from 'antd'
import { useState } from 'react'
import type { Amount } from '@gantry/contract/quotas/quotas'
import { stacks, type Stack } from '@gantry/contract/stacks/stacks'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Field, Form } from '../../../ui/form/form.tsx'
import { useTeamId } from '../../../ui/link.tsx'
import { ProductSelect } from '../../products/public.tsx'
import { useClusters } from '../services/reads.ts'
import { ShareFields } from './share-fields.tsx'
import { noShare, shareProblem, TeamQuotaAfter, useTeamQuota } from './team-quota.tsx'

interface CreateStackProps {
  /** The initially selected cluster and product. */
  envId?: string
  productId?: number
  onClose: () => void
  onDone?: (stack: Stack) => void
}

/** Creates a stack: its name, cluster, product, and share of the team's quota there. */
export function CreateStackDialog({ envId, productId, onClose, onDone }: CreateStackProps) {
  const teamId = useTeamId()
  const clusters = useClusters(teamId)
  const only = clusters.data?.length === 1 ? clusters.data[0]?.uuid : undefined
  const [typed, setTyped] = useState<{ envId?: string | undefined; quota?: Partial<Amount> }>({ envId })
  const chosen = typed.envId ?? envId ?? only
  const wanted = { ...noShare, ...typed.quota }
  const quota = useTeamQuota(teamId, chosen)
  const create = useWrite(stacks.create, { done: 'create-success', quiet: true })
  const problem = quota.data && shareProblem(quota.data, noShare, wanted)
  return (
    <Dialog title={t('stacks-ui-create')} onClose={onClose}>
      {clusters.data?.length === 0 && <p className="g-note g-note-warn">{t('stacks-ui-no-cluster')}</p>}
      {/* the initial values need the clusters, and loading them later would discard input */}
      {clusters.isLoading ? (
        <Skeleton rows={5} columns={2} />
      ) : (
        <Form
          schema={stacks.create.body}
          initial={{
            quota: noShare,
            ...(chosen === undefined ? {} : { envId: chosen }),
            ...(productId === undefined ? {} : { productId }),
          }}
          submit={t('stacks-ui-create')}
          needs={stacks.create}
          disabled={problem ?? false}
          onChange={(values) => setTyped({ envId: values.envId, quota: { ...noShare, ...values.quota } })}
          onCancel={onClose}
          onSubmit={async (body) => {
            const made = await create.mutateAsync({ params: { teamId }, body })
            onDone?.(made)
            onClose()
          }}
        >
          <Field name="name" label={t('stacks-ui-name')} help={t('stacks-ui-name-help')}>
            <Input autoFocus maxLength={30} spellCheck={false} autoComplete="off" />
          </Field>
          <Field name="envId" label={t('stacks-ui-cluster')}>
            <Select
              className="g-select"
              placeholder={t('ui-choose-one')}
              options={(clusters.data ?? []).map(({ uuid, name, sandbox, health }) => ({
                value: uuid,
                label: `${name}${sandbox ? ` · ${t('stacks-ui-simulated')}` : ''}${
                  health === 'healthy' || health === 'unknown' ? '' : ` · ${t(`state-${health}`)}`
                }`,
              }))}
            />
          </Field>
          <Field name="productId" label={t('stacks-ui-product')}>
            <ProductSelect />
          </Field>
          <Field name="description" label={t('stacks-ui-description')}>
            <Input.TextArea rows={2} maxLength={1000} />
          </Field>
          <ShareFields under="quota" />
          {chosen !== undefined && <TeamQuotaAfter query={quota} wanted={wanted} />}
        </Form>
      )}
    </Dialog>
  )
}
