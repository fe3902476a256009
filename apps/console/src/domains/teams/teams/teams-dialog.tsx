import { z } from 'zod'
import { t } from '../../../api/language.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { Field } from '../../../ui/form/form.tsx'
import { TeamsSelect } from './team-select.tsx'

const schema = z.strictObject({ teams: z.array(z.number().int()) })

interface TeamsDialogProps {
  title: string
  label: string
  help: string
  /** The present teams. */
  teams: readonly { id: number }[]
  /** Gets all selected teams, and the difference from the present ones. */
  onSave: (chosen: { teams: number[]; added: number[]; removed: number[] }) => Promise<void>
  onClose: () => void
}

/** The teams to which an object of the platform is assigned. */
export function TeamsDialog({ title, label, help, teams: now, onSave, onClose }: TeamsDialogProps) {
  const before = now.map(({ id }) => id)
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      schema={schema}
      initial={{ teams: before }}
      submit={t('ui-save')}
      onSubmit={async ({ teams }) => {
        const added = teams.filter((team) => !before.includes(team))
        const removed = before.filter((team) => !teams.includes(team))
        await onSave({ teams, added, removed })
      }}
    >
      <Field name="teams" label={label} help={help}>
        <TeamsSelect />
      </Field>
    </FormDialog>
  )
}
