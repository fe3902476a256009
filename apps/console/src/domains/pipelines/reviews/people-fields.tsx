import { Select } from 'antd'
import { roles } from '@gantry/contract/teams/roles'
import { teams } from '@gantry/contract/teams/teams'
import { useRead } from '../../../api/hooks.ts'
import { Field } from '../../../ui/form/form.tsx'

interface PeopleFieldsProps {
  teamId: number
  users: string
  roles: string
  help?: string
}

/** Members and roles of a team: the fields `users` and `roles` of a Form. */
export function PeopleFields({ teamId, help, ...labels }: PeopleFieldsProps) {
  const members = useRead(teams.members, { params: { id: teamId }, query: { pageSize: -1 } })
  const all = useRead(roles.list, { params: { teamId } })
  const search = { mode: 'multiple', showSearch: { optionFilterProp: 'label' } } as const
  return (
    <>
      <Field name="users" label={labels.users}>
        <Select
          {...search}
          loading={members.isPending}
          options={members.data?.items.map((one) => ({ value: one.id, label: one.userName })) ?? []}
        />
      </Field>
      <Field name="roles" label={labels.roles} {...(help === undefined ? {} : { help })}>
        <Select
          {...search}
          loading={all.isPending}
          options={all.data?.map((role) => ({ value: role.id, label: role.name })) ?? []}
        />
      </Field>
    </>
  )
}
