import type { AlarmMap, AlarmRule } from '@gantry/contract/alarms/rules'
import { services } from '@gantry/contract/stacks/services'
import { type Stack, stacks } from '@gantry/contract/stacks/stacks'
import { Select } from 'antd'
import { useId, useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { RemoteSelect } from '../../ui/form/remote-select.tsx'
import { useTeamId } from '../../ui/link.tsx'
import styles from './alarms.module.css'
import { mapWords } from './words.ts'

/** A service or stack that can be watched, with its place. */
export type Named = Pick<AlarmRule['maps'][number], 'resource' | 'id' | 'name' | 'stackName' | 'envId'>

interface MapsFieldProps {
  id?: string
  value?: readonly AlarmMap[]
  onChange?: (value: AlarmMap[]) => void
  /** The names of the watched services and stacks. */
  known: readonly Named[]
  onNamed: (named: Named) => void
}

const same = (a: AlarmMap, b: AlarmMap): boolean => a.resource === b.resource && a.id === b.id
const wholeStack = 0

/** A Form field for what a rule watches: whole stacks, and services. */
export function MapsField({ id, value = [], onChange, known, onNamed }: MapsFieldProps) {
  const teamId = useTeamId()
  const labels = useId()
  const [stack, setStack] = useState<Stack>()
  const [service, setService] = useState(wholeStack)
  const list = useRead(
    services.list,
    { params: { teamId, envId: stack?.envId ?? '', uuid: stack?.uuid ?? '' }, query: { pageSize: -1 } },
    { enabled: stack !== undefined },
  )
  const of = list.data?.items.filter(({ type }) => type === 'business') ?? []
  const nameOf = (map: AlarmMap): string => {
    const named = known.find((one) => same(one, map))
    return named ? mapWords(named) : String(map.id)
  }
  const add = () => {
    if (!stack) return
    const one = of.find((each) => each.id === service)
    const next: Named = one
      ? { resource: 'service', id: one.id, name: one.name, stackName: stack.name, envId: stack.envId }
      : { resource: 'stack', id: stack.id, name: stack.name, stackName: stack.name, envId: stack.envId }
    onNamed(next)
    if (!value.some((map) => same(map, next))) onChange?.([...value, { resource: next.resource, id: next.id }])
    setStack(undefined)
    setService(wholeStack)
  }
  return (
    <div id={id} role="group" aria-label={t('alarms-ui-maps')} className={styles.rows}>
      {value.map((map) => (
        <div key={`${map.resource} ${map.id}`} className={styles.watched}>
          <span>{nameOf(map)}</span>
          <Button
            quiet
            icon="delete"
            label={t('alarms-ui-remove', { what: nameOf(map) })}
            onClick={() => onChange?.(value.filter((one) => !same(one, map)))}
          />
        </div>
      ))}
      <div className={styles.pick}>
        <div>
          <label htmlFor={`${labels}-stack`}>{t('alarms-ui-stack')}</label>
          <RemoteSelect
            id={`${labels}-stack`}
            endpoint={stacks.list}
            input={{ params: { teamId, envId: 'all' as const } }}
            pageSize={20}
            option={(one) => ({ value: one.uuid, label: `${one.name} (${one.envName})` })}
            {...(stack && { value: stack.uuid, valueLabel: stack.name })}
            onChange={(_, next) => {
              setStack(next)
              setService(wholeStack)
            }}
          />
        </div>
        <div>
          <label htmlFor={`${labels}-service`}>{t('alarms-ui-service')}</label>
          <Select
            id={`${labels}-service`}
            disabled={!stack}
            loading={stack !== undefined && list.isPending}
            value={service}
            onChange={setService}
            options={[
              { value: wholeStack, label: t('alarms-ui-whole-stack') },
              ...of.map(({ id: one, name }) => ({ value: one, label: name })),
            ]}
          />
        </div>
        <Button icon="add" disabled={stack ? false : t('alarms-ui-stack')} onClick={add}>
          {t('alarms-ui-map-add')}
        </Button>
      </div>
    </div>
  )
}
