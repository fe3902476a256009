import { clusters, type Cluster } from '@gantry/contract/clusters/clusters'
import { z } from 'zod'
import { call } from '../../../api/call.ts'
import { refreshReads } from '../../../api/queries.ts'
import { t } from '../../../api/language.ts'
import { toast } from '../../../api/notices.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { Field } from '../../../ui/form/form.tsx'
import { TeamsSelect } from '../../teams/public.tsx'

const schema = z.strictObject({ teamIds: z.array(z.number().int()).min(1, 'field-required') })

/** Assigns a cluster to more teams. */
export function AssignDialog({ cluster, onClose }: { cluster: Cluster; onClose: () => void }) {
  const { uuid, name, teams } = cluster
  /** One by one: assignments before a refusal remain, and are shown. */
  const assign = async (teamIds: readonly number[]) => {
    try {
      for (const tenant of teamIds) await call(clusters.assign, { params: { env: uuid }, query: { tenant } })
    } finally {
      await refreshReads([clusters.assign])
    }
  }
  return (
    <FormDialog
      title={t('clusters-ui-assign-title', { name })}
      onClose={onClose}
      schema={schema}
      submit={t('clusters-ui-assign')}
      onSubmit={async ({ teamIds }) => {
        await assign(teamIds)
        toast.ok(t('option-success', { object: `${t('noun-environment')} ${name}` }))
      }}
    >
      <Field filled name="teamIds" label={t('clusters-ui-teams')} help={t('clusters-ui-teams-help')}>
        <TeamsSelect without={teams.map(({ id }) => id)} />
      </Field>
    </FormDialog>
  )
}
