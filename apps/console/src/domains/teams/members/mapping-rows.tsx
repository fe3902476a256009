import { Form as Antd, Input } from 'antd'
import type { GroupMapping } from '@gantry/contract/teams/group-mapping'
import { teams } from '@gantry/contract/teams/teams'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/form/form.tsx'
import { RemoteSelect } from '../../../ui/form/remote-select.tsx'
import { RoleOrNoneSelect } from '../roles/role-select.tsx'
import styles from './members.module.css'

/** The name of the list in the form's schema, for directories and providers alike. */
const list = 'mappings'

interface MappingRowsProps {
  /** What identifies a group: a DN, a value of a claim. */
  group: string
  placeholder: string
}

/** Which group becomes a member of which team, in which role. Fields of a Form whose schema has `mappings`. */
export function MappingRows({ group, placeholder }: MappingRowsProps) {
  const form = Antd.useFormInstance()
  const mappings: readonly (Partial<GroupMapping> | undefined)[] = Antd.useWatch(list, form) ?? []
  return (
    <Antd.List name={list}>
      {(rows, { add, remove }, { errors }) => (
        <div className={styles.mappings}>
          {rows.map(({ key, name }, at) => (
            <div key={key} className={`g-field-row ${styles.mapping}`}>
              <Field filled within={list} name={[name, 'group']} label={group}>
                <Input className="g-mono" spellCheck={false} autoComplete="off" placeholder={placeholder} />
              </Field>
              <Field filled within={list} name={[name, 'teamId']} label={t('teams-ui-mapping-team')}>
                <TeamSelect onChange={() => form.setFieldValue([list, name, 'roleId'], null)} />
              </Field>
              <Field filled within={list} name={[name, 'roleId']} label={t('teams-ui-mapping-role')}>
                <RoleOrNoneSelect teamId={mappings[name]?.teamId} />
              </Field>
              <span className={styles.mappingEnd}>
                <Button
                  quiet
                  icon="delete"
                  label={t('teams-ui-mapping-remove', { number: at + 1 })}
                  onClick={() => remove(name)}
                />
              </span>
            </div>
          ))}
          <Antd.ErrorList errors={errors} />
          <Button small icon="add" onClick={() => add({ group: '', roleId: null })}>
            {t('teams-ui-mapping-add')}
          </Button>
        </div>
      )}
    </Antd.List>
  )
}

interface TeamSelectProps {
  id?: string
  value?: number
  onChange?: (value: number | undefined) => void
}

/** One read gets the names for all rows; a team beyond its page is read separately. */
function TeamSelect({ id, value, onChange }: TeamSelectProps) {
  const all = useRead(teams.brief, { query: { pageSize: -1 } }, { staleMs: 60_000 })
  const known = all.data?.items.find((team) => team.id === value)
  const beyond = all.data?.truncated === true && known === undefined
  const one = useRead(
    teams.get,
    { params: { id: value ?? 0 } },
    { enabled: beyond && value !== undefined, keep: false },
  )
  return (
    <RemoteSelect
      {...(id === undefined ? {} : { id })}
      {...(value === undefined ? {} : { value })}
      endpoint={teams.brief}
      pageSize={50}
      option={(team) => ({ value: team.id, label: team.name })}
      valueLabel={(known ?? one.data)?.name ?? '…'}
      onChange={(next: number | undefined) => onChange?.(next)}
    />
  )
}
