import { Input, Select } from 'antd'
import { z } from 'zod'
import { roles, RoleTemplate, type Role } from '@gantry/contract/teams/roles'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { useHolds } from '../../../api/session.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { Field } from '../../../ui/form/form.tsx'

interface CreateRoleProps {
  teamId: number
  /** The role whose permissions are copied. */
  copied: Role | undefined
  all: readonly Role[]
  onClose: () => void
  onDone: (role: Role) => void
}

const nothing = 'nothing'
const schema = z.strictObject({ roleName: roles.create.query.shape.roleName, origin: z.string() })

const templateNames = RoleTemplate.shape.name.options

/** Parses `template:viewer` or `role:7` for the query. */
function queryOf(origin: string) {
  const [kind, value = ''] = origin.split(':')
  const template = templateNames.find((name) => name === value)
  if (kind === 'role') return { from: Number(value) }
  return template ? { template } : {}
}

/** Creates a role: empty, or with the permissions of a template or another role. */
export function CreateRoleDialog({ teamId, copied, all, onClose, onDone }: CreateRoleProps) {
  const create = useWrite(roles.create, { done: 'add-success-role', quiet: true })
  const templates = useRead(roles.templates, {}, { staleMs: 300_000 })
  const may = useHolds()
  const lacking = (name: string) =>
    templates.data?.find((one) => one.name === name)?.permissions.some((key) => !may(key)) ?? false
  return (
    <FormDialog
      title={copied ? t('roles-ui-copy-title', { name: copied.name }) : t('teams-ui-role-create')}
      onClose={onClose}
      schema={schema}
      initial={{ origin: copied ? `role:${copied.id}` : nothing }}
      submit={t('teams-ui-role-create')}
      needs={roles.create}
      onSubmit={async ({ roleName, origin }) => {
        const made = await create.mutateAsync({
          named: roleName,
          params: { teamId },
          query: { roleName, ...queryOf(origin) },
        })
        onDone(made)
      }}
    >
      <Field name="roleName" label={t('teams-ui-role-name')} help={t('roles-ui-name-help')}>
        <Input autoFocus maxLength={15} />
      </Field>
      <Field name="origin" label={t('roles-ui-origin')} help={t('roles-ui-origin-help')} filled>
        <Select
          className="g-select"
          options={[
            { value: nothing, label: t('roles-ui-origin-nothing') },
            {
              label: t('roles-ui-origin-templates'),
              options: templateNames.map((name) => ({
                value: `template:${name}`,
                label: t(`role-template-${name}`),
                disabled: lacking(name),
                title: lacking(name) ? t('roles-ui-lacking') : '',
              })),
            },
            ...(all.length === 0
              ? []
              : [
                  {
                    label: t('roles-ui-origin-roles'),
                    options: all.map(({ id, name }) => ({ value: `role:${id}`, label: name })),
                  },
                ]),
          ]}
        />
      </Field>
    </FormDialog>
  )
}
