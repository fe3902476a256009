import { Select } from 'antd'
import { roles } from '@gantry/contract/teams/roles'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { wordsOf } from '../../api/notices.ts'

/** On the wire a leader has the role 0. */
export const leaderRole = 0

interface RoleSelectProps {
  teamId: number
  id?: string
  value?: number | undefined
  onChange?: (value: number) => void
  label?: string
}

/** What somebody may be in a team: its leader, or one of its roles. A field of a Form. */
export function RoleSelect({ teamId, id, value, onChange, label }: RoleSelectProps) {
  const query = useRead(roles.list, { params: { teamId } })
  return (
    <Select
      {...(id === undefined ? {} : { id })}
      {...(value === undefined ? {} : { value })}
      {...(onChange === undefined ? {} : { onChange })}
      {...(label === undefined ? {} : { 'aria-label': label })}
      className="g-select"
      placeholder={t('ui-choose-one')}
      loading={query.isFetching}
      notFoundContent={query.error ? <span className="g-bad">{wordsOf(query.error)}</span> : t('no-data')}
      options={[
        { value: leaderRole, label: t('teams-ui-leader') },
        ...(query.data ?? []).map((role) => ({ value: role.id, label: role.name })),
      ]}
    />
  )
}
