import { Form as Antd } from 'antd'
import { useEffect } from 'react'
import { t, type PhraseKey } from '../../api/language.ts'

type Path = readonly string[]

const always: readonly (readonly [Path, PhraseKey])[] = [
  [['name'], 'zones-ui-name'],
  [['type'], 'zones-ui-type'],
  [['openStackUuid'], 'zones-ui-openstack'],
  [['neutronDefaults', 'project'], 'zones-ui-project'],
  [['neutronDefaults', 'podSecurityGroups'], 'zones-ui-security-groups'],
  [['neutronDefaults', 'podSubnet'], 'zones-ui-pod-subnet'],
  [['neutronDefaults', 'serviceSubnet'], 'zones-ui-service-subnet'],
]
const ofNested: typeof always = [[['podVifNested', 'workerNodesSubnet'], 'zones-ui-worker-subnet']]

const valueAt = (values: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined | null)?.[key], values)

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** The labels of the empty fields that the specification requires for saving a zone. */
export function missingFields(values: unknown): string[] {
  const wanted = valueAt(values, ['type']) === 'nested' ? [...always, ...ofNested] : always
  return wanted.filter(([path]) => isEmpty(valueAt(values, path))).map(([, key]) => t(key))
}

export interface Entered {
  name: string
  nested: boolean
  openStackUuid: string | undefined
  project: string | undefined
  missing: string
}

export const nothingEntered: Entered = {
  name: '',
  nested: false,
  openStackUuid: undefined,
  project: undefined,
  missing: '…',
}

/** Reports the form's values, including fields that another field's change cleared. Renders nothing. */
export function Watch({ onChange }: { onChange: (entered: Entered) => void }) {
  const form = Antd.useFormInstance<Record<string, unknown>>()
  const text = JSON.stringify(Antd.useWatch((values: Record<string, unknown>) => values, form) ?? {})
  useEffect(() => {
    const values: unknown = JSON.parse(text)
    const at = (...path: string[]) => {
      const value = valueAt(values, path)
      return typeof value === 'string' && value !== '' ? value : undefined
    }
    onChange({
      name: at('name') ?? '',
      nested: at('type') === 'nested',
      openStackUuid: at('openStackUuid'),
      project: at('neutronDefaults', 'project'),
      missing: missingFields(values).join(', '),
    })
  }, [text, onChange])
  return null
}
