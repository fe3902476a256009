import { useState } from 'react'
import { z } from 'zod'
import { groups, type Group, type GroupVariables } from '@gantry/contract/pipelines/groups'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { Loaded } from '../../../ui/detail.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { filled, VariableRow } from '../definition/variables.ts'
import { VariableFields } from '../definition/variable-fields.tsx'

const schema = z.object({ variables: z.array(VariableRow) })

/** The variables for every build of a group's pipelines. */
export function GroupVariablesDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const query = useRead(groups.variables, { params: { id: group.id } })
  return (
    <Dialog width={720} title={t('pipelines-ui-group-variables', { name: group.name })} onClose={onClose}>
      <p className="g-dialog-text">{t('pipelines-ui-group-variables-about')}</p>
      <Loaded query={query}>{(newest) => <VariablesForm group={group} newest={newest} onClose={onClose} />}</Loaded>
    </Dialog>
  )
}

interface FormProps {
  group: Group
  newest: GroupVariables
  onClose: () => void
}

function VariablesForm({ group, newest, onClose }: FormProps) {
  const [base, setBase] = useState(newest)
  const [dirty, setDirty] = useState(false)
  const save = useWrite(groups.setVariables, { done: 'save-success', quiet: true })
  // others' changes are adopted until there is an edit: then the server compares
  if (newest.revision !== base.revision && !dirty) setBase(newest)
  const { variables, revision } = base
  return (
    <Form
      key={revision}
      schema={schema}
      initial={{ variables }}
      submit={t('ui-save')}
      needs={groups.setVariables}
      onChange={() => setDirty(true)}
      onCancel={onClose}
      onSubmit={async (values) => {
        const body = { variables: filled(values.variables), revision }
        await save.mutateAsync({ named: group.name, params: { id: group.id }, body })
        onClose()
      }}
    >
      <VariableFields name="variables" label={t('pipelines-ui-variables')} />
    </Form>
  )
}
