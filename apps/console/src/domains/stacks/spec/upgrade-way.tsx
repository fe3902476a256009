import { Input, InputNumber, Select } from 'antd'
import { copies } from '@gantry/contract/stacks/copies/copies'
import {
  copyDemand,
  fewestRequests,
  type GrayBy,
  type GrayHeader,
  grayMetrics,
  type GrayRule,
  type GrayStep,
  GrayWay,
  splitOf,
  usualRule,
} from '@gantry/contract/stacks/copies/copy'
import type { Demand, Sized } from '@gantry/contract/stacks/demand'
import type { ServiceDetail } from '@gantry/contract/stacks/services'
import type { z } from 'zod'
import { useRead } from '../../../api/hooks.ts'
import { isPhrase, t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Section } from '../../../ui/page.tsx'
import styles from './spec.module.css'

/** How a new specification replaces the old one. */
export interface Upgrade {
  type: 'rolling' | 'bluegreen' | 'gray' | 'edit'
  by: GrayBy
  /** With an empty name there is no header. */
  header: GrayHeader
  steps: GrayStep[]
  rule: GrayRule
}

export const usualWay: Upgrade = {
  type: 'rolling',
  by: 'instances',
  header: { name: '', value: '' },
  steps: [
    { weight: 20, pauseSeconds: null },
    { weight: 50, pauseSeconds: null },
  ],
  rule: usualRule,
}

/** The usage of the copy; undefined without one. */
export const besideOf = ({ type, steps }: Upgrade, next: Sized | undefined): Demand | undefined =>
  next && (type === 'bluegreen' || type === 'gray') ? copyDemand(type === 'gray' ? steps : [], next) : undefined

/** The input of the call for a gray upgrade. */
export const grayOf = ({ by, header, steps, rule: { failed, ...rule } }: Upgrade): z.input<typeof GrayWay> => ({
  by,
  ...(by === 'requests' && header.name !== '' ? { header } : {}),
  steps,
  rule: by === 'requests' && failed !== undefined ? { ...rule, failed } : rule,
})

/** The problem of a gray upgrade's input. */
export function problemOfWay(way: Upgrade): string | undefined {
  if (way.type !== 'gray') return undefined
  const key = GrayWay.safeParse(grayOf(way)).error?.issues[0]?.message
  return key !== undefined && isPhrase(key) ? t(key) : key
}

interface WayProps {
  service: ServiceDetail
  /** The wanted number of instances. */
  replicas: number
  way: Upgrade
  onChange: (way: Upgrade) => void
}

/** The choice of the way, and the steps of a gray upgrade. */
export function UpgradeWay({ service, replicas, way, onChange }: WayProps) {
  const { workload, state, spec } = service
  const ways =
    workload === 'deployment' && state === 'stable'
      ? (['rolling', 'bluegreen', 'gray', 'edit'] as const)
      : (['rolling', 'edit'] as const)
  return (
    <Section title={t('stacks-ui-way')} about={t(`stacks-ui-way-${way.type}-about`)}>
      <div className={styles.rows}>
        <Select
          className="g-select"
          aria-label={t('stacks-ui-way')}
          value={way.type}
          options={ways.map((value) => ({ value, label: t(`stacks-ui-way-${value}`) }))}
          onChange={(type: Upgrade['type']) => onChange({ ...way, type })}
        />
        {way.type === 'gray' && <GrayDivision service={service} way={way} onChange={onChange} />}
        {way.type === 'gray' && (
          <GraySteps
            steps={way.steps}
            by={way.by}
            before={spec.replicas}
            after={replicas}
            onChange={(steps) => onChange({ ...way, steps })}
          />
        )}
        {way.type === 'gray' && (
          <GrayRules service={service} by={way.by} rule={way.rule} onChange={(rule) => onChange({ ...way, rule })} />
        )}
      </div>
    </Section>
  )
}

/** What is divided, as far as the stack's ways in permit; requests also by a header. */
function GrayDivision({ service, way, onChange }: Omit<WayProps, 'replicas'>) {
  const { teamId, envId, id } = service
  const query = useRead(copies.grayWays, { params: { teamId, envId, id } })
  const { ways = [], why = '' } = query.data ?? {}
  const { by, header } = way
  const putHeader = (more: Partial<GrayHeader>) => onChange({ ...way, header: { ...header, ...more } })
  return (
    <>
      <label className={styles.labelled}>
        <span>{t('stacks-ui-gray-by')}</span>
        <Select<GrayBy>
          className="g-select"
          aria-label={t('stacks-ui-gray-by')}
          value={by}
          options={(['instances', 'requests'] as const).map((value) => ({
            value,
            label: t(`stacks-ui-gray-by-${value}`),
            disabled: value === 'requests' && ways.length === 0,
          }))}
          onChange={(value) => onChange({ ...way, by: value })}
        />
      </label>
      <p className="g-faint">
        {t(`stacks-ui-gray-by-${by}-about`, { ways: ways.join(', ') })}
        {why !== '' && ` · ${why}`}
      </p>
      {by === 'requests' && (
        <div className={`g-columns ${styles.twoColumns}`}>
          {(['name', 'value'] as const).map((part) => (
            <label key={part} className={styles.labelled}>
              <span>{t(`stacks-ui-gray-header-${part}`)}</span>
              <Input
                value={header[part]}
                placeholder={part === 'name' ? 'X-Canary' : 'always'}
                onChange={({ target }) => putHeader({ [part]: target.value })}
              />
            </label>
          ))}
        </div>
      )}
    </>
  )
}

interface StepsProps {
  by: GrayBy
  steps: readonly GrayStep[]
  before: number
  after: number
  onChange: (steps: GrayStep[]) => void
}

function GraySteps({ by, steps, before, after, onChange }: StepsProps) {
  const put = (at: number, more: Partial<GrayStep>) =>
    onChange(steps.map((step, n) => (n === at ? { ...step, ...more } : step)))
  const last = steps.at(-1)?.weight ?? 0
  return (
    <ol className={styles.steps} aria-label={t('stacks-ui-gray-steps')}>
      {steps.map(({ weight, pauseSeconds }, at) => {
        const { old, new: fresh } = splitOf(before, after, weight, by)
        const title = t('stacks-ui-gray-step', { step: at + 1 })
        return (
          <li key={at} className={styles.step}>
            <label>
              <span>{t('stacks-ui-gray-weight')}</span>
              <InputNumber
                aria-label={`${title}: ${t('stacks-ui-gray-weight')}`}
                min={by === 'requests' ? 0 : 1}
                max={100}
                precision={0}
                value={weight}
                suffix="%"
                // null while the user empties the field to type a new value
                onChange={(value) => value !== null && put(at, { weight: value })}
              />
            </label>
            <label>
              <span>{t('stacks-ui-gray-pause')}</span>
              <InputNumber<number>
                aria-label={`${title}: ${t('stacks-ui-gray-pause')}`}
                min={1}
                max={604_800}
                precision={0}
                value={pauseSeconds}
                placeholder={t('stacks-ui-gray-pause-none')}
                onChange={(value) => put(at, { pauseSeconds: value })}
              />
            </label>
            <span className="g-faint">{t('stacks-ui-gray-instances', { fresh, old })}</span>
            <Button
              quiet
              small
              icon="delete"
              label={t('stacks-ui-row-remove', { what: title })}
              onClick={() => onChange(steps.filter((_, n) => n !== at))}
            />
          </li>
        )
      })}
      <li>
        <Button
          small
          icon="add"
          onClick={() => onChange([...steps, { weight: Math.min(100, last + 25), pauseSeconds: null }])}
        >
          {t('stacks-ui-gray-add')}
        </Button>
      </li>
    </ol>
  )
}

interface RulesProps {
  service: ServiceDetail
  by: GrayBy
  rule: GrayRule
  onChange: (rule: GrayRule) => void
}

function GrayRules({ service, by, rule, onChange }: RulesProps) {
  const put = (part: 'restarts' | 'unready' | 'failed', value: number | null) => {
    const { [part]: _, ...others } = rule
    onChange(value === null ? others : { ...others, [part]: value })
  }
  const { metric, ...others } = rule
  // only one metric is watched: the other is cleared
  const putMetric = (name: (typeof grayMetrics)[number], above: number | null) =>
    onChange(above === null ? others : { ...others, metric: { name, above } })
  return (
    <div className={`g-columns ${styles.twoColumns}`}>
      {(['restarts', 'unready'] as const).map((part) => (
        <RuleField
          key={part}
          label={t(`stacks-ui-gray-rule-${part}`)}
          value={rule[part]}
          onChange={(value) => put(part, value)}
        />
      ))}
      {grayMetrics.map((name) => (
        <RuleField
          key={name}
          label={t(`stacks-ui-gray-rule-${name}`)}
          value={metric?.name === name ? metric.above : undefined}
          onChange={(value) => putMetric(name, value)}
        />
      ))}
      {by === 'requests' && (
        <FailedRule service={service} value={rule.failed} onChange={(value) => put('failed', value)} />
      )}
    </div>
  )
}

type FailedProps = Pick<RuleFieldProps, 'value' | 'onChange'> & { service: ServiceDetail }

/** The part of failed requests, and why they are not counted now. */
function FailedRule({ service: { teamId, envId, id }, value, onChange }: FailedProps) {
  const { data } = useRead(copies.grayWays, { params: { teamId, envId, id } })
  return (
    <>
      <RuleField label={t('stacks-ui-gray-rule-failed')} min={0} max={99} value={value} onChange={onChange} />
      <p className={`g-faint ${styles.bothColumns}`}>
        {t('stacks-ui-gray-rule-failed-about', { least: fewestRequests })}
      </p>
      {value !== undefined && data && data.uncounted !== '' && (
        <p className={`g-note g-note-warn ${styles.bothColumns}`} role="status">
          {t('stacks-ui-gray-rule-uncounted')} {data.uncounted}
        </p>
      )}
    </>
  )
}

interface RuleFieldProps {
  label: string
  min?: number
  max?: number
  value: number | undefined
  onChange: (value: number | null) => void
}

const RuleField = ({ label, min = 1, max = 1000, value, onChange }: RuleFieldProps) => (
  <label className={styles.labelled}>
    <span>{label}</span>
    <InputNumber<number> min={min} max={max} precision={0} value={value ?? null} onChange={onChange} />
  </label>
)
