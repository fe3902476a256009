import { Select } from 'antd'
import { roles, type Role } from '@gantry/contract/teams/roles'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { wordsOf } from '../../../api/notices.ts'
import styles from './role-select.module.css'

/** On the wire a leader has the role 0. */
export const leaderRole = 0
/** On the wire no role is null, which a select shows as nothing chosen. */
export const noRole = -1

/** A description of a role's permissions; empty once they differ from its template's. */
export const aboutOf = ({ template }: Role): string => (template === null ? '' : t(`role-template-${template}`))

interface RoleSelectProps {
  /** Absent until a team is chosen: there are no roles to choose from yet. */
  teamId: number | undefined
  id?: string
  value?: number | undefined
  onChange?: (value: number) => void
  label?: string
  /** Whether "member without a role" may be chosen: `noRole`. */
  orNone?: boolean
}

/** Selects a member's role in a team: leader, or one of its roles. A field of a Form. */
export function RoleSelect({ teamId, id, value, onChange, label, orNone = false }: RoleSelectProps) {
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
        ...(orNone ? [{ value: noRole, label: t('teams-ui-mapping-member'), about: '' }] : []),
        { value: leaderRole, label: t('teams-ui-leader'), about: t('teams-ui-leader-about') },
        ...(query.data ?? []).map((role) => ({ value: role.id, label: role.name, about: aboutOf(role) })),
      ]}
      optionRender={({ data: { label, about } }) => (
        <>
          {label}
          {about !== '' && <small className={styles.about}>{about}</small>}
        </>
      )}
    />
  )
}

interface RoleOrNoneSelectProps extends Pick<RoleSelectProps, 'teamId' | 'id'> {
  value?: number | null
  onChange?: (value: number | null) => void
}

/** The same, or a member without a role: null. */
export const RoleOrNoneSelect = ({ value, onChange, ...rest }: RoleOrNoneSelectProps) => (
  <RoleSelect {...rest} orNone value={value ?? noRole} onChange={(next) => onChange?.(next === noRole ? null : next)} />
)
