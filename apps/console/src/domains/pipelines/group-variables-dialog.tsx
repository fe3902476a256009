import { Modal } from 'antd'
import { z } from 'zod'
import { groups, type Group } from '@gantry/contract/pipelines/groups'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { Form } from '../../ui/form.tsx'
import { filled, VariableRow } from './variables.ts'
import { VariableFields } from './variable-fields.tsx'

const schema = z.object({ variables: z.array(VariableRow) })

/** The variables that every build of a group's pipelines sees. */
export function GroupVariablesDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const params = { id: group.id }
  const query = useRead(groups.variables, { params })
  const save = useWrite(groups.setVariables, { refreshes: [groups.variables], done: 'save-success', quiet: true })
  return (
    <Modal
      open
      width={720}
      title={t('pipelines-ui-group-variables', { name: group.name })}
      footer={null}
      onCancel={onClose}
    >
      <p className="g-dialog-text">{t('pipelines-ui-group-variables-about')}</p>
      <Loaded query={query}>
        {(variables) => (
          <Form
            schema={schema}
            initial={{ variables }}
            submit={t('ui-save')}
            needs="pipeline_group_edit"
            onCancel={onClose}
            onSubmit={async (values) => {
              await save.mutateAsync({ params, body: filled(values.variables) })
              onClose()
            }}
          >
            <VariableFields name="variables" label={t('pipelines-ui-variables')} />
          </Form>
        )}
      </Loaded>
    </Modal>
  )
}
