import { Select } from 'antd'
import { roles } from '@gantry/contract/teams/roles'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { wordsOf } from '../../../api/notices.ts'

/** On the wire a leader has the role 0. */
export const leaderRole = 0
/** And a null has none; a selector shows a null as nothing chosen. */
const noRole = -1

interface RoleSelectProps {
  /** Absent until a team is chosen: there is nothing to choose yet. */
  teamId: number | undefined
  id?: string
  value?: number | undefined
  onChange?: (value: number) => void
  label?: string
  /** What may be chosen besides. */
  more?: readonly { value: number; label: string }[]
}

/** What somebody may be in a team: its leader, or one of its roles. A field of a Form. */
export function RoleSelect({ teamId, id, value, onChange, label, more = [] }: RoleSelectProps) {
  const query = useRead(roles.list, { params: { teamId: teamId ?? 0 } }, { enabled: teamId !== undefined, keep: false })
  return (
    <Select
      {...(id === undefined ? {} : { id })}
      {...(value === undefined ? {} : { value })}
      {...(onChange === undefined ? {} : { onChange })}
      {...(label === undefined ? {} : { 'aria-label': label })}
      className="g-select"
      placeholder={t('ui-choose-one')}
      disabled={teamId === undefined}
      loading={query.isFetching}
      notFoundContent={query.error ? <span className="g-bad">{wordsOf(query.error)}</span> : t('no-data')}
      options={[
        ...more,
        { value: leaderRole, label: t('teams-ui-leader') },
        ...(query.data ?? []).map((role) => ({ value: role.id, label: role.name })),
      ]}
    />
  )
}

interface RoleOrNoneSelectProps extends Pick<RoleSelectProps, 'teamId' | 'id'> {
  value?: number | null
  onChange?: (value: number | null) => void
}

/** The same, or a member without a role: null. */
export const RoleOrNoneSelect = ({ value, onChange, ...rest }: RoleOrNoneSelectProps) => (
  <RoleSelect
    {...rest}
    more={[{ value: noRole, label: t('teams-ui-mapping-member') }]}
    value={value ?? noRole}
    onChange={(next) => onChange?.(next === noRole ? null : next)}
  />
)
