import { agents, type AgentRow } from '@gantry/contract/agents/agents'
import { z } from 'zod'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { AgentFields } from './agent-fields.tsx'

const typed = agents.update.body
  .omit({ revision: true })
  .extend({ teamId: z.number().int().optional(), environment: z.string().optional() })

export function EditAgentDialog({ agent, onClose }: { agent: AgentRow; onClose: () => void }) {
  const { id, name, givenLabels, capacity, teamId, teamName, environment, environmentName, revision } = agent
  const save = useWrite(agents.update, { done: 'save-success', quiet: true })
  return (
    <FormDialog
      title={t('agents-ui-edit-title', { name })}
      onClose={onClose}
      schema={typed}
      initial={{
        labels: givenLabels,
        capacity,
        ...(teamId !== null && { teamId }),
        ...(environment !== null && { environment }),
      }}
      submit={t('ui-save')}
      onSubmit={async ({ teamId = null, environment = null, ...given }) => {
        const body = { ...given, teamId, environment, revision }
        await save.mutateAsync({ named: name, params: { id }, body })
      }}
    >
      <AgentFields teamName={teamName} environmentName={environmentName} />
    </FormDialog>
  )
}
