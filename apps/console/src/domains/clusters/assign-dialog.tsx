import { Modal } from 'antd'
import { environments, type Environment } from '@gantry/contract/clusters/environments'
import { z } from 'zod'
import { t } from '../../api/language.ts'
import { Field, Form } from '../../ui/form.tsx'
import { TeamsSelect } from '../teams/public.tsx'

const chosen = z.strictObject({ teamIds: environments.create.body.shape.teamIds })

interface AssignProps {
  environment: Environment
  onAssign: (teamId: number) => Promise<unknown>
  onClose: () => void
}

/** Chooses the teams that may use a cluster from now on, beside those that do. */
export function AssignDialog({ environment, onAssign, onClose }: AssignProps) {
  return (
    <Modal open title={t('clusters-ui-assign-title', { name: environment.name })} footer={null} onCancel={onClose}>
      <Form
        schema={chosen}
        submit={t('clusters-ui-assign')}
        onCancel={onClose}
        onSubmit={async ({ teamIds = [] }) => {
          for (const teamId of teamIds) await onAssign(teamId)
          onClose()
        }}
      >
        <Field filled name="teamIds" label={t('clusters-ui-teams')} help={t('clusters-ui-teams-help')}>
          <TeamsSelect without={environment.teams.map(({ id }) => id)} />
        </Field>
      </Form>
    </Modal>
  )
}
