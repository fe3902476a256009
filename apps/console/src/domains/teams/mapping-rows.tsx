import { Form as Antd, Input, Select } from 'antd'
import type { GroupMapping } from '@gantry/contract/ldap/ldap'
import { roles } from '@gantry/contract/teams/roles'
import { teams } from '@gantry/contract/teams/teams'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form.tsx'
import { RemoteSelect } from '../../ui/remote-select.tsx'
import './teams.css'

/** The list's name in the schema of the form, for directories and providers alike. */
const list = 'mappings'

interface MappingRowsProps {
  /** What a group is there: a DN, a value of a claim. */
  group: string
  placeholder: string
}

/** Which group opens which team, as what. Fields of a Form whose schema has `mappings`. */
export function MappingRows({ group, placeholder }: MappingRowsProps) {
  const form = Antd.useFormInstance()
  const mappings: readonly (Partial<GroupMapping> | undefined)[] = Antd.useWatch(list, form) ?? []
  return (
    <Antd.List name={list}>
      {(rows, { add, remove }) => (
        <div className="t-mappings">
          {rows.map(({ key, name }, at) => (
            <div key={key} className="t-mapping">
              <Field filled within={list} name={[name, 'group']} label={group}>
                <Input className="g-mono" spellCheck={false} autoComplete="off" placeholder={placeholder} />
              </Field>
              <Field filled within={list} name={[name, 'teamId']} label={t('teams-ui-mapping-team')}>
                <TeamSelect onChange={() => form.setFieldValue([list, name, 'roleId'], null)} />
              </Field>
              <Field filled within={list} name={[name, 'roleId']} label={t('teams-ui-mapping-role')}>
                <RoleSelect teamId={mappings[name]?.teamId} />
              </Field>
              <span className="t-mapping-end">
                <Button
                  quiet
                  icon="delete"
                  label={t('teams-ui-mapping-remove', { number: at + 1 })}
                  onClick={() => remove(name)}
                />
              </span>
            </div>
          ))}
          <Button small icon="add" onClick={() => add({ group: '', roleId: null })}>
            {t('teams-ui-mapping-add')}
          </Button>
        </div>
      )}
    </Antd.List>
  )
}

interface PickProps {
  id?: string
  value?: number
  onChange?: (value: number | undefined) => void
}

function TeamSelect({ id, value, onChange }: PickProps) {
  const known = useRead(teams.get, { params: { id: value ?? 0 } }, { enabled: value !== undefined, staleMs: 60_000 })
  return (
    <RemoteSelect
      {...(id === undefined ? {} : { id })}
      {...(value === undefined ? {} : { value })}
      endpoint={teams.brief}
      pageSize={50}
      option={(team) => ({ value: team.id, label: team.name })}
      valueLabel={known.data?.id === value ? known.data?.name : '…'}
      onChange={(next: number | undefined) => onChange?.(next)}
    />
  )
}

/** On the wire 0 leads and null has no role; a selector shows a null as nothing chosen. */
const none = -1

interface RoleSelectProps {
  id?: string
  value?: number | null
  onChange?: (value: number | null) => void
  teamId: number | undefined
}

function RoleSelect({ id, value, onChange, teamId }: RoleSelectProps) {
  const query = useRead(
    roles.list,
    { params: { teamId: teamId ?? 0 } },
    { enabled: teamId !== undefined, keep: false, staleMs: 60_000 },
  )
  return (
    <Select
      {...(id === undefined ? {} : { id })}
      className="g-select"
      value={value ?? none}
      disabled={teamId === undefined}
      loading={query.isFetching}
      options={[
        { value: none, label: t('teams-ui-mapping-member') },
        { value: 0, label: t('teams-ui-leader') },
        ...(query.data ?? []).map((role) => ({ value: role.id, label: role.name })),
      ]}
      onChange={(next: number) => onChange?.(next === none ? null : next)}
    />
  )
}
