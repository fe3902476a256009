import { type AlarmTemplate, alarmTemplates } from '@gantry/contract/alarms/templates'
import { Input } from 'antd'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { confirmDelete, useDialog } from '../../ui/feedback/dialog.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { Field } from '../../ui/form/form.tsx'
import { useTeamId } from '../../ui/link.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { numberColumn } from '../../ui/table/number-column.ts'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { deleteAction, editAction } from '../../ui/table/row-actions.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'
import { ConditionFields } from './condition-fields.tsx'
import { conditionWords } from './words.ts'

const needs = alarmTemplates.save

/** Conditions shared by rules. */
export function TemplateTable() {
  const teamId = useTeamId()
  const list = useListState('alarm-templates')
  const query = useRead(alarmTemplates.list, { params: { id: teamId }, query: list.query })
  const editing = useDialog<AlarmTemplate | 'new'>()
  const remove = useWrite(alarmTemplates.remove, { done: 'delete-success', quiet: true })
  const add = { label: t('alarms-ui-template-add'), needs, onClick: () => editing.show('new') }
  const askRemove = ({ id, name }: AlarmTemplate) =>
    confirmDelete({
      title: t('alarms-ui-template-delete-title', { name }),
      run: () => remove.mutateAsync({ named: name, params: { team_id: teamId, ID: id } }),
    })
  return (
    <>
      <ResourceTable
        label={t('alarms-ui-tab-templates')}
        query={query}
        list={list}
        search={t('alarms-ui-template-search')}
        toolbar={
          <Button primary icon="add" needs={needs} onClick={add.onClick}>
            {add.label}
          </Button>
        }
        rowKey={(row) => row.id}
        nameOf={(row) => row.name}
        columns={[
          { key: 'name', title: t('alarms-ui-name'), cell: (row) => row.name },
          {
            key: 'rules',
            title: t('alarms-ui-conditions'),
            cell: (row) => row.rules.map(conditionWords).join('; '),
          },
          numberColumn('used', t('alarms-ui-used'), { width: 96 }),
          timeColumn('updatedAt', t('alarms-ui-updated'), { wideOnly: true }),
        ]}
        actions={(row) => [
          editAction({ needs, onClick: () => editing.show(row) }),
          deleteAction({ needs: alarmTemplates.remove, onClick: () => void askRemove(row) }),
        ]}
        empty={{ type: 1, title: t('alarms-ui-templates-none'), memo: t('alarms-ui-templates-none-memo'), add }}
      />
      {editing.open && (
        <TemplateDialog {...(editing.open === 'new' ? {} : { template: editing.open })} onClose={editing.hide} />
      )}
    </>
  )
}

function TemplateDialog({ template, onClose }: { template?: AlarmTemplate; onClose: () => void }) {
  const teamId = useTeamId()
  const save = useWrite(alarmTemplates.save, { done: 'save-success', quiet: true })
  return (
    <FormDialog
      width={820}
      title={template ? t('alarms-ui-template-edit', { name: template.name }) : t('alarms-ui-template-add')}
      onClose={onClose}
      schema={alarmTemplates.save.body}
      initial={
        template
          ? { name: template.name, rules: template.rules }
          : { rules: [{ metric: 'cpu_percent', operator: '>', threshold: 80, for: 5, severity: 'warning' }] }
      }
      submit={t('ui-save')}
      needs={needs}
      onSubmit={async (body) => {
        const known = template ? { id: template.id, revision: template.revision } : {}
        await save.mutateAsync({ named: body.name, params: { team_id: teamId }, body: { ...body, ...known } })
      }}
    >
      <Field name="name" label={t('alarms-ui-name')}>
        <Input autoFocus={!template} maxLength={64} />
      </Field>
      <ConditionFields />
    </FormDialog>
  )
}
