import { Form as Antd, Input, InputNumber, Select } from 'antd'
import { createContext, useContext } from 'react'
import { certificates } from '@gantry/contract/certificates/certificates'
import { ingressGroups } from '@gantry/contract/clusters/ingress-groups'
import type { LbProtocol } from '@gantry/contract/stacks/outward'
import { services } from '@gantry/contract/stacks/services'
import { ways } from '@gantry/contract/stacks/ways'
import { mask } from '@gantry/contract/validators'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { useMay } from '../../../api/session.ts'
import { clearButton } from '../../../ui/form/clear-button.tsx'
import { example } from '../../../ui/form/example.ts'
import { Field } from '../../../ui/form/form.tsx'
import { useDelayed } from '../../../ui/form/remote-select.tsx'
import { exactTime } from '../../../ui/format.ts'
import { ValueArea } from '../../../ui/form/value-area.tsx'
import { searchDebounceMs } from '../../../ui/table/search-box.tsx'

/** The stack of the ways in. */
export interface StackPlace {
  teamId: number
  envId: string
  stackId: string
  /** The service that is being edited. */
  id?: number
}

/** The environment of the fields. A blueprint has no stack yet: names are typed, and taken hosts are unknown. */
export interface Surroundings {
  place?: StackPlace
  /** The services that can receive requests. */
  targets: readonly string[]
}
const Around = createContext<Surroundings>({ targets: [] })
export const Surrounded = Around.Provider

/** The services of the stack that can receive requests. */
export function useTargets({ teamId, envId, stackId, id }: StackPlace): string[] {
  const { data } = useRead(services.list, { params: { teamId, envId, uuid: stackId }, query: { pageSize: -1 } })
  const others = (data?.items ?? []).filter((one) => one.id !== id && one.type !== 'lb' && one.type !== 'ingress')
  return others.map(({ name }) => name)
}

export const ofKit = { showSearch: true, className: 'g-select' } as const

export function GroupField({ required }: { required: boolean }) {
  const { place } = useContext(Around)
  const known = useMay(ingressGroups.list) && place !== undefined
  const { data = [] } = useRead(ingressGroups.list, { params: { env: place?.envId ?? '' } }, { enabled: known })
  const options = data.map(({ name, isDefault }) => ({
    value: name,
    label: isDefault ? `${name} (${t('ingress-ui-first')})` : name,
  }))
  return (
    <Field
      filled={required}
      name={['outward', 'group']}
      label={t('outward-ui-group')}
      help={required ? t('outward-ui-group-help') : t('outward-ui-group-usual')}
    >
      {known ? (
        <Select
          {...ofKit}
          allowClear={!required && clearButton()}
          options={options}
          notFoundContent={t('ingress-ui-none')}
        />
      ) : (
        <Input spellCheck={false} autoComplete="off" />
      )}
    </Field>
  )
}

export interface RoutePlace {
  protocol: LbProtocol
  port: number
  host: string
  path: string
}

/** Reports, after a pause in typing, that a host and path or a port is taken. */
export function Taken({ route }: { route: RoutePlace }) {
  const { place } = useContext(Around)
  return place ? <TakenIn place={place} route={route} /> : null
}

function TakenIn({ place: { teamId, envId, id }, route }: { place: StackPlace; route: RoutePlace }) {
  const host = useDelayed(route.host, searchDebounceMs)
  const path = useDelayed(route.path, searchDebounceMs)
  const port = Number(useDelayed(String(route.port), searchDebounceMs))
  const isWhole = Number.isInteger(port) && port > 0 && port < 65_536
  const query = useRead(
    ways.claimed,
    {
      params: { t: teamId, e: envId },
      query: { protocol: route.protocol, port, host, path, ...(id === undefined ? {} : { service: id }) },
    },
    { enabled: isWhole },
  )
  if (!isWhole || !query.data || query.data.free) return null
  return (
    <p className="g-note g-note-warn" role="status">
      {query.data.message}
    </p>
  )
}

/** A service of the stack, and the port that receives the requests. */
export function TargetFields({ within, at }: { within: readonly (string | number)[]; at: number }) {
  const { targets } = useContext(Around)
  return (
    <>
      <Field filled within={within} name={[at, 'service']} label={t('outward-ui-target')}>
        <Select {...ofKit} options={targets.map((name) => ({ value: name, label: name }))} />
      </Field>
      <Field filled within={within} name={[at, 'port']} label={t('outward-ui-target-port')}>
        <InputNumber min={1} max={65_535} precision={0} placeholder={example('8080')} />
      </Field>
    </>
  )
}

interface CertificateAt {
  within: readonly (string | number)[]
  at: readonly (string | number)[]
}

export function CertificateFields({ within, at }: CertificateAt) {
  const { place } = useContext(Around)
  const chosen = Antd.useWatch<number | undefined>([...within, ...at, 'certificateId'])
  return (
    <>
      {place && <TeamCertificate teamId={place.teamId} within={within} at={at} isChosen={chosen !== undefined} />}
      {chosen === undefined && (
        <>
          <Field filled within={within} name={[...at, 'certificate']} label={t('outward-ui-certificate')}>
            <ValueArea placeholder={example('-----BEGIN CERTIFICATE-----')} />
          </Field>
          {place ? (
            <Field filled within={within} name={[...at, 'key']} label={t('outward-ui-key')}>
              <ValueArea secret />
            </Field>
          ) : (
            <Antd.Item name={[...at, 'key']} initialValue={mask} label={t('outward-ui-key')}>
              <KeyAtDeployment />
            </Antd.Item>
          )}
        </>
      )}
    </>
  )
}

/** Selects a certificate that the team may use, instead of entering one; renders nothing without any. */
function TeamCertificate({ teamId, within, at, isChosen }: CertificateAt & { teamId: number; isChosen: boolean }) {
  const form = Antd.useFormInstance()
  const { data } = useRead(certificates.ofTeam, { params: { teamId }, query: { pageSize: -1 } })
  const options = (data?.items ?? []).map(({ id, name, names, state, until }) => ({
    value: id,
    label:
      state === 'expired'
        ? t('outward-ui-certificate-expired', { name, names: names.join(', ') })
        : t('outward-ui-certificate-option', { name, names: names.join(', '), until: exactTime(until) }),
  }))
  if (options.length === 0 && !isChosen) return null
  return (
    <Field filled within={within} name={[...at, 'certificateId']} label={t('outward-ui-certificate-of-team')}>
      <Select
        {...ofKit}
        optionFilterProp="label"
        allowClear={clearButton()}
        options={options}
        placeholder={t('outward-ui-certificate-entered')}
        onChange={() => {
          for (const name of ['certificate', 'key']) form.setFieldValue([...within, ...at, name], '')
        }}
      />
    </Field>
  )
}

/** All who see a product can read its blueprints, which therefore contain no key: only that there is one. */
const KeyAtDeployment = () => <span className="g-faint">{t('outward-ui-key-input')}</span>
