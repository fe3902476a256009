import { InputNumber, Select } from 'antd'
import {
  copyDemand,
  GrayPlan,
  type GrayRule,
  type GrayStep,
  splitOf,
  usualRule,
} from '@gantry/contract/stacks/copies/copy'
import type { Demand, Sized } from '@gantry/contract/stacks/demand'
import type { ServiceDetail } from '@gantry/contract/stacks/services'
import { isPhrase, t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Section } from '../../../ui/page.tsx'
import styles from './spec.module.css'

/** How a new specification takes the place of the old one. */
export interface Way {
  type: 'rolling' | 'bluegreen' | 'gray' | 'edit'
  steps: GrayStep[]
  rule: GrayRule
}

export const usualWay: Way = {
  type: 'rolling',
  steps: [
    { weight: 20, pauseSeconds: null },
    { weight: 50, pauseSeconds: null },
  ],
  rule: usualRule,
}

/** What a copy uses beside the service; nothing where there is none. */
export const besideOf = ({ type, steps }: Way, next: Sized | undefined): Demand | undefined =>
  next && (type === 'bluegreen' || type === 'gray') ? copyDemand(type === 'gray' ? steps : [], next) : undefined

/** What is wrong with the steps, in words. */
export function problemOfWay({ type, steps }: Way): string | undefined {
  const checked = GrayPlan.safeParse(steps)
  const key = checked.error?.issues[0]?.message
  return type === 'gray' && key !== undefined ? (isPhrase(key) ? t(key) : key) : undefined
}

interface WayProps {
  service: ServiceDetail
  /** How many instances there are to be. */
  replicas: number
  way: Way
  onChange: (way: Way) => void
}

/** The choice of the way, and the steps of a gray one. */
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
          onChange={(type: Way['type']) => onChange({ ...way, type })}
        />
        {way.type === 'gray' && (
          <GraySteps
            steps={way.steps}
            before={spec.replicas}
            after={replicas}
            onChange={(steps) => onChange({ ...way, steps })}
          />
        )}
        {way.type === 'gray' && <GrayRules rule={way.rule} onChange={(rule) => onChange({ ...way, rule })} />}
      </div>
    </Section>
  )
}

interface StepsProps {
  steps: readonly GrayStep[]
  before: number
  after: number
  onChange: (steps: GrayStep[]) => void
}

function GraySteps({ steps, before, after, onChange }: StepsProps) {
  const put = (at: number, more: Partial<GrayStep>) =>
    onChange(steps.map((step, n) => (n === at ? { ...step, ...more } : step)))
  const last = steps.at(-1)?.weight ?? 0
  return (
    <ol className={styles.steps} aria-label={t('stacks-ui-gray-steps')}>
      {steps.map(({ weight, pauseSeconds }, at) => {
        const { old, new: fresh } = splitOf(before, after, weight)
        const title = t('stacks-ui-gray-step', { step: at + 1 })
        return (
          <li key={at} className={styles.step}>
            <label>
              <span>{t('stacks-ui-gray-weight')}</span>
              <InputNumber
                aria-label={`${title}: ${t('stacks-ui-gray-weight')}`}
                min={1}
                max={100}
                precision={0}
                value={weight}
                suffix="%"
                // emptied, it is being written anew
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

function GrayRules({ rule, onChange }: { rule: GrayRule; onChange: (rule: GrayRule) => void }) {
  const put = (part: keyof GrayRule, value: number | null) => {
    const { [part]: _, ...others } = rule
    onChange(value === null ? others : { ...others, [part]: value })
  }
  return (
    <div className={`g-columns ${styles.twoColumns}`}>
      {(['restarts', 'unready'] as const).map((part) => (
        <label key={part} className={styles.labelled}>
          <span>{t(`stacks-ui-gray-rule-${part}`)}</span>
          <InputNumber<number>
            min={1}
            max={1000}
            precision={0}
            value={rule[part] ?? null}
            onChange={(value) => put(part, value)}
          />
        </label>
      ))}
    </div>
  )
}
